// production: fixed = true without start
// supported: begins at zero, also where another variable with a start is equal to it
// value: x = 1
// value: y = -1
// value: z = 3
model FixedAlias
  Real x(fixed = true), y(start = 5), z(start = 2), w(start = 2, fixed = true);
equation
  x = -y;
  der(y) = -1;
  z = w;
  der(w) = 1;
end FixedAlias;
