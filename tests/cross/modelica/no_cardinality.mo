// production: cardinality()
// refused: cardinality() in an expression: not supported
model M
  Real x(start = 0);
equation
  der(x) = cardinality(x);
end M;
