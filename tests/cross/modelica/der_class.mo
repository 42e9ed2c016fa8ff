// production: function = der(f, x)
// refused: a function that is a derivative, der(): not supported
function f
  input Real x;
  output Real y;
algorithm
  y := x;
end f;
function g = der(f, x);
model M
  Real z(start = 0);
equation
  der(z) = 0;
end M;
