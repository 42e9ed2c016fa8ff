// production: enumeration
// supported: literals, comparisons, as subscripts
// value: x = 2
// value: y = 3
type E = enumeration(a, b "second", c);
model M
  parameter E e = E.b;
  Real x = if e == E.b then 2 else 0;
  parameter Real t[3] = {1, 3, 5};
  Real y = t[e], z(start = 0);
equation
  der(z) = 0;
end M;
