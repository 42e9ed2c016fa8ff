// production: parameters that depend on one with fixed = false
// supported: they are found with it, in any order
// value: b = 7
// value: c = 49
// value: x = 50
model M
  parameter Real c = b^2;
  parameter Real a(fixed = false, start = 1), b = 2*a + 1;
  Real x(start = 1, fixed = true);
initial equation
  a^2 = 9;
equation
  der(x) = c;
end M;
