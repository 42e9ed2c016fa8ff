// production: when in algorithms
// refused: when in an algorithm: not supported
model M
  Real x(start = 0);
  discrete Integer n(start = 0);
equation
  der(x) = 1;
algorithm
  when x > 0.5 then
    n := 1;
  end when;
end M;
