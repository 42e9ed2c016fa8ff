// production: an Integer that an equation with a Real gives
// refused: "n" is no Real, and no equation n = ... gives it a whole number; integer() makes one of a Real
model M
  Real x(start = 1, fixed = true);
  Integer n;
equation
  der(x) = -x;
  n = x;
end M;
