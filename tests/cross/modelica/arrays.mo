// production: arrays
// supported: of fixed size, of variables, parameters and components; `:` where a value gives the size; `each`
// value: s = 6
// value: b[2].x = 20
model B
  parameter Real p = 1;
  Real x = p;
end B;
model M
  parameter Real v[:] = {1, 2, 3};
  Real s = sum(v);
  B b[2](p = {10, 20});
  Real x[2, 2](each start = 1);
equation
  der(x) = zeros(2, 2);
end M;
