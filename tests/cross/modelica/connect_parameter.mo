// production: parameters in connectors
// supported: they must be equal where connectors are connected
// value: b.c.v[2] = 1
connector C
  parameter Integer n = 2;
  Real v[n];
end C;
model A
  C c;
end A;
model M
  A a, b;
  Real z(start = 0);
equation
  connect(a.c, b.c);
  a.c.v = {2, 1};
  der(z) = 0;
end M;
