// production: short class definition
// supported: `type V = Real(unit = "V")`, `model A = B(p = 2)`, with sizes
// value: x[2] = 2
// value: a.v = 7
type V2 = Real[2](each unit = "V");
model A
  parameter Real p = 1;
  Real v = p;
end A;
model B = A(p = 7);
model M
  V2 x(start = {1, 2}, each fixed = true);
  B a;
equation
  der(x) = {0, 0};
end M;
