// production: fixed start values that equations contradict
// refused: the fixed start value of x contradicts equation "line 6"
model FixedContradiction
  Real x(start = 3, fixed = true), y(start = 0, fixed = true);
equation
  x = 5;
  der(y) = x;
end FixedContradiction;
