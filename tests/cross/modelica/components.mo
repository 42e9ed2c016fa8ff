// production: components in components
// supported: with modifications that reach down
// value: a.b.x = 4
// value: a.c.x = 1
model B
  parameter Real p = 1;
  Real x = p;
end B;
model A
  B b, c;
end A;
model M
  A a(b(p = 4));
  Real z(start = 0);
equation
  der(z) = 0;
end M;
