// production: external
// refused: an external function: not supported
function f
  input Real x;
  output Real y;
  external "C" y = sin(x);
end f;
model M
  Real z(start = 0);
equation
  der(z) = f(z);
end M;
