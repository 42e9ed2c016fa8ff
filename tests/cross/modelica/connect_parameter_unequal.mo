// production: parameters in connectors that are not equal
// refused: connect: the parameters "a.c.n" and "b.c.n" of the connectors are not equal
connector C
  parameter Integer n = 2;
  Real v;
end C;
model A
  C c;
end A;
model M
  A a, b(c(n = 3));
  Real z(start = 0);
equation
  connect(a.c, b.c);
  a.c.v = 2;
  der(z) = 0;
end M;
