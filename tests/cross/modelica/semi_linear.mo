// production: semiLinear(x, k, n)
// supported: k x where x >= 0, else n x
// value: y = 1
// value: z = -6
model M
  Real x(start = -0.5, fixed = true), y, z;
equation
  der(x) = 1;
  y = semiLinear(x, 2, 3);
  z = semiLinear(-2, 2, 3);
end M;
