// production: extends with modifications
// supported: bases of bases, values, attributes, sizes
// value: x = 3
// value: n = 4
model A
  parameter Integer k = 1;
  parameter Real p = 1;
  Real v[k](each start = 1, each fixed = true);
equation
  der(v) = zeros(k);
end A;
model M
  extends A(p = 3, k = 4);
  Real x = p, n = sum(v);
end M;
