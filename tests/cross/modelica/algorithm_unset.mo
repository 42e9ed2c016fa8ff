// production: a variable read before it is assigned
// refused: is used in the algorithm before it is assigned
model M
  Real y, z(start = 0);
algorithm
  y := y + 1;
equation
  der(z) = y;
end M;
