// production: within
// supported: alone, and in files of packages
// value: x = 1
within ;
model M
  Real x(start = 1, fixed = true);
equation
  der(x) = 0;
end M;
