// production: == and <> of Reals that vary, outside of functions
// refused: == of Reals outside of functions: write a relation with a tolerance, abs(a - b) < d
model T
  Real x(start = 1, fixed = true);
  Boolean b = x == 0.5;
equation
  der(x) = -x;
end T;
