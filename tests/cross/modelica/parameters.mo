// production: parameter, constant
// supported: expressions of each other in any order; arrays; `--set` gives other values
// value: x = 12
model M
  parameter Real a = 2*b;
  parameter Real b = c + 1;
  constant Real c = 5;
  Real x = a, z(start = 0);
equation
  der(z) = 0;
end M;
