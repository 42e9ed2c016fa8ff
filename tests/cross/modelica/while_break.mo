// production: while, break, return
// supported: conditions that are known: of constants, parameters, loops
// value: y = 16
function f
  input Integer n;
  output Integer y = 1;
protected
  Integer k = 0;
algorithm
  while true loop
    k := k + 1;
    y := 2*y;
    if k == n then
      return;
    end if;
  end while;
end f;
model M
  parameter Integer y0 = f(4);
  Real y = y0, z(start = 0);
equation
  der(z) = 0;
end M;
