// production: too few equations
// refused: 2 equations, 3 unknowns: y, z not determined
model M
  Real x(start = 0), y, z;
equation
  der(x) = 1;
  y = z;
end M;
