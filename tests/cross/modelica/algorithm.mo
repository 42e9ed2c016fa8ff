// production: algorithm sections of models
// supported: run once with expressions for values
// value: y = 6
model M
  Real y, z(start = 0);
algorithm
  y := 1;
  for i in 1:3 loop
    y := y*i;
  end for;
equation
  der(z) = y;
end M;
