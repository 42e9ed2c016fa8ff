// production: too many equations
// refused: 3 equations, 2 unknowns; too many equations: line 7, line 8
model M
  Real x(start = 0), y;
equation
  der(x) = 1;
  y = 1;
  y = 2;
end M;
