// production: semiLinear()
// refused: semiLinear() in an expression: not supported
model M
  Real x(start = 0);
equation
  der(x) = semiLinear(x);
end M;
