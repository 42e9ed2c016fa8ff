// production: pre of a continuous variable outside of when
// refused: outside of a when-equation: the variable is not discrete
model M
  Real x(start = 0, fixed = true), y;
equation
  der(x) = 1;
  y = pre(x);
end M;
