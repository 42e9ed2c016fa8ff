// production: start of a variable that is a derivative
// supported: der(y) = x: the start of x chooses among solutions
// value: y = -3
model M
  Real y(start = 0, fixed = true), x(start = -2);
equation
  der(y) = x;
  x^2 = 9;
end M;
