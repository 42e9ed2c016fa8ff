// production: inStream()
// refused: inStream() in an expression: not supported
model M
  Real x(start = 0);
equation
  der(x) = inStream(x);
end M;
