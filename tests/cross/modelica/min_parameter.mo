// production: a parameter outside of min and max
// refused: parameter "p" is -1, its min is 0
model M
  parameter Real p(min = 0) = -1;
  Real x(start = 0);
equation
  der(x) = p;
end M;
