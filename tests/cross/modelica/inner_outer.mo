// production: inner, outer
// supported: the nearest inner component of the name
// value: b.x = 9
model B
  outer Real g;
  Real x = g;
end B;
model M
  inner Real g = 9;
  B b;
  Real z(start = 0);
equation
  der(z) = 0;
end M;
