// production: a loop that does not end
// refused: a loop does not end
function f
  output Real y = 1;
algorithm
  while true loop
    y := 1;
  end while;
end f;
model M
  Real z(start = 0);
equation
  der(z) = f();
end M;
