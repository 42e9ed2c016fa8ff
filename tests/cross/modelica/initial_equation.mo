// production: initial equation
// supported: in addition to the equations; derivatives may occur: `der(x) = 0` starts at rest
// value: x = 4
model M
  Real x(start = 1);
initial equation
  der(x) = 0;
equation
  der(x) = 4 - x;
end M;
