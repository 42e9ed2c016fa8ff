// production: assert
// supported: of parameters at once, else watched in the run, which fails where the condition ceases to hold; `AssertionLevel.warning` is told
// value: x = 1
model M
  parameter Real p = 1;
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  assert(p > 0, "p is positive");
  assert(x < 2, "x is small");
  assert(x < 0.5, "x is getting larger", AssertionLevel.warning);
end M;
