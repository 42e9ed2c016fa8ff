// production: getInstanceName()
// refused: getInstanceName() in an expression: not supported
model M
  Real x(start = 0);
equation
  der(x) = getInstanceName(x);
end M;
