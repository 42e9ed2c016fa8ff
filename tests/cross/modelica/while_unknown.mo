// production: while with a condition of variables
// refused: not known before the run: not supported
function f
  input Real x;
  output Real y = 1;
algorithm
  while y < x loop
    y := 2*y;
  end while;
end f;
model M
  Real z(start = 0);
equation
  der(z) = f(z);
end M;
