// production: spatialDistribution()
// refused: spatialDistribution() in an expression: not supported
model M
  Real x(start = 0);
equation
  der(x) = spatialDistribution(x);
end M;
