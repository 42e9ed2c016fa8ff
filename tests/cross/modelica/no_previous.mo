// production: previous()
// refused: previous() in an expression: not supported
model M
  Real x(start = 0);
equation
  der(x) = previous(x);
end M;
