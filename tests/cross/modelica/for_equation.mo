// production: for-equation
// supported: written out; ranges are parameter expressions; several iterators
// value: x[3] = 6
model M
  parameter Integer n = 3;
  Real x[n], z(start = 0);
equation
  for i in 1:n loop
    x[i] = 2*i;
  end for;
  der(z) = 0;
end M;
