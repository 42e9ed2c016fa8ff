// production: a modification of what is not there
// refused: B has no component "q"
model B
  parameter Real p = 1;
  Real x = p;
end B;
model M
  B b(q = 2);
  Real z(start = 0);
equation
  der(z) = 0;
end M;
