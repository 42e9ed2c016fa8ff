// production: a discrete variable that nothing gives
// refused: "d" is discrete, and no equation and no `when` gives it a value: make it a parameter, or set it
model T
  discrete Real d(start = 2);
  Real x(start = 1, fixed = true);
equation
  der(x) = -d*x;
end T;
