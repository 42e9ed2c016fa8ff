// production: parameters in a circle
// refused: depends on itself
model M
  parameter Real a = b, b = a;
  Real z(start = 0);
equation
  der(z) = a;
end M;
