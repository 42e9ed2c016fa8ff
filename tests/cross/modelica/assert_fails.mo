// production: an assert that fails
// refused: assert: p is positive
model M
  parameter Real p = -1;
  Real x(start = 0);
equation
  der(x) = 1;
  assert(p > 0, "p is positive");
end M;
