// production: String()
// refused: String() in an expression: not supported
model M
  Real x(start = 0);
equation
  der(x) = String(x);
end M;
