// production: array constructors
// supported: `{}`, `[ , ; ]`, ranges, `{f(i) for i in 1:n}`, `end`, `:`
// value: x = 30
// value: y = 3
model M
  parameter Real v[:] = {i^2 for i in 1:4};
  parameter Integer w[:] = 1:3;
  Real x = sum(v), y = w[end], z(start = 0);
equation
  der(z) = sum(v[2:end]);
end M;
