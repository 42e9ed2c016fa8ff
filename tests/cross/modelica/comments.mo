// production: comments
// supported: `//` and `/* */`
// value: x = 1
model M
  Real x = 1; // one
  /* a Real y
  = 3; */
  Real z(start = 0);
equation
  der(z) = 0;
end M;
