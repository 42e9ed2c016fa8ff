// production: guess(x) of a variable with a start value
// refused: guess(x): it has a start value already
model M
  Real x(start = 1);
  parameter equation guess(x) = 3;
equation
  der(x) = 1;
end M;
