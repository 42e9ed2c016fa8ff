// production: initial()
// refused: initial() in an expression: not supported
model M
  Real x(start = 0);
equation
  der(x) = if initial() then 1 else 0;
end M;
