// production: a call as an equation
// refused: as an equation: not supported
function f
  input Real x;
algorithm
end f;
model M
  Real x(start = 0);
equation
  der(x) = 1;
  f(x);
end M;
