// production: discrete Real with a value that varies
// refused: discrete_varies.mo:8:3: "d" is discrete, and x is not
model DiscreteVaries
  discrete Real d, e = if x > 0.5 then 1 else 2;
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  d = 2*x + e;
end DiscreteVaries;
