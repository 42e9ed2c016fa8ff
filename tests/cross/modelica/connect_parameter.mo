// production: parameters in connectors
// refused: not supported
connector C
  parameter Integer n = 1;
  Real v;
end C;
model A
  C c;
end A;
model M
  A a, b;
  Real z(start = 0);
equation
  connect(a.c, b.c);
  a.c.v = 1;
  der(z) = 0;
end M;
