// production: while with a condition of variables
// refused: it must be known to end after at most 1000 turns, by a counter
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
