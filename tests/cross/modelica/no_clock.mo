// production: Clock()
// refused: Clock() in an expression: not supported
model M
  Real x(start = 0);
equation
  der(x) = Clock(x);
end M;
