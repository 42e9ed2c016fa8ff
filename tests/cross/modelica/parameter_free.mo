// production: parameter with fixed = false
// refused: not supported
model M
  parameter Real a(fixed = false, start = 1);
  Real z(start = 0);
initial equation
  a = 1;
equation
  der(z) = a;
end M;
