// production: singular structure
// refused: 3 equations, 3 unknowns: y, z not determined; too many equations: line 6, line 7
model M
  Real x(start = 0), y, z;
equation
  der(x) = 1;
  x = 2*time;
  y = z;
end M;
