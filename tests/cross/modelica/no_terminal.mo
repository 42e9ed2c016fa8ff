// production: terminal()
// refused: terminal() in an expression: not supported
model M
  Real x(start = 0);
equation
  der(x) = if terminal() then 1 else 0;
end M;
