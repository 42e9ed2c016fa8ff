// production: delay()
// refused: delay() in an expression: not supported
model M
  Real x(start = 0);
equation
  der(x) = delay(x);
end M;
