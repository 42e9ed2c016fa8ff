// production: UNSIGNED-NUMBER
// supported: Integer and Real
// value: x = 1200.5
// value: y = 0.003
model M
  Real x = 1.2005e3, y = 3E-3;
  Real z(start = 0);
equation
  der(z) = .5 + 1.;
end M;
