// production: conditional components
// supported: `if` with a parameter expression; connections to them go with them
// value: x = 2
model B
  Real x = 1;
end B;
model M
  parameter Boolean there = false;
  B b if there;
  Real x = if there then 1 else 2, z(start = 0);
equation
  der(z) = 0;
end M;
