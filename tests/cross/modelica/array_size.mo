// production: a size that is not known
// refused: it must be known before the run
model M
  Real z(start = 0);
  Real x[integer(z)];
equation
  der(z) = 0;
end M;
