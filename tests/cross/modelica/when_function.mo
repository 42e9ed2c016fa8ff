// production: when under a condition in algorithms
// refused: when under a condition that is not known before the run: not supported
model M
  Real x(start = 0);
  discrete Integer n(start = 0);
equation
  der(x) = 1;
algorithm
  if x > 0.2 then
    when x > 0.5 then
      n := 1;
    end when;
  end if;
end M;
