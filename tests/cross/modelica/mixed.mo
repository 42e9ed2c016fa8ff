// production: Booleans in a circle with themselves
// refused: is no Real
model M
  Boolean b, c;
  Real z(start = 0);
equation
  b or c = z > 1;
  c = not b;
  der(z) = 0;
end M;
