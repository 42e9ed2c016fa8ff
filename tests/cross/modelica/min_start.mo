// production: start outside of min and max
// refused: start = -1 is not between min and max
model M
  Real x(start = -1, min = 0);
equation
  der(x) = 0;
end M;
