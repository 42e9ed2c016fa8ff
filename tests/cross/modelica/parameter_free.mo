// production: parameter with fixed = false
// supported: Reals; found by initial equations with start as the guess; as a variable p with der(p) = 0, that is no size or range
// value: a = 3
// value: z = 5
model M
  parameter Real a(fixed = false, start = 1);
  Real z(start = 2, fixed = true);
initial equation
  a^2 = 9;
equation
  der(z) = a;
end M;
