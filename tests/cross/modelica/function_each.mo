// production: functions of scalars called with arrays
// supported: for each entry of arguments with more dimensions than their inputs
// value: v[3] = 9
// value: w[2] = 13
// value: m = 30
function square
  input Real x;
  output Real y;
algorithm
  y := x^2;
end square;
function add
  input Real a, b, c = 1;
  output Real y;
algorithm
  y := a + b + c;
end add;
model M
  Real v[3] = square({1, 2, 3}), w[3] = add({1, 2, 3}, c = 1, b = 10), m = sum(square([1, 2; 3, 4])), z(start = 0, fixed = true);
equation
  der(z) = 0;
end M;
