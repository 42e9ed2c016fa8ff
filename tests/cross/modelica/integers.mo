// production: Integer and Boolean variables
// supported: given by an equation b = ..., or set by events
// value: n = 3
// value: x = 1
model M
  parameter Integer n0 = 3;
  Integer n = n0;
  Boolean b = time > -1;
  Real x = if b then 1 else 0;
  Real z(start = 0);
equation
  der(z) = n;
end M;
