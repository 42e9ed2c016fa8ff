// production: connect of something else
// refused: is no connector
model M
  Real x = 1, y, z(start = 0);
equation
  connect(x, y);
  der(z) = 0;
end M;
