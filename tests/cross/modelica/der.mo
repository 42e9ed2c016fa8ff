// production: der
// supported: of variables, and of expressions of them
// value: y = 4
model M
  Real x(start = 2, fixed = true), y;
equation
  der(x) = 1;
  y = der(x^2) - 2*(x - 2);
end M;
