// production: if-equation
// supported: with a parameter expression one branch counts; else branches have equally many equations and become if-expressions
// value: x = 3
// value: y = 2
model M
  parameter Boolean p = true;
  Real x, y, z(start = 0);
equation
  if p then
    x = 3;
  else
    x = 4;
  end if;
  if z < 10 then
    y = 2;
  elseif z < 20 then
    y = 3;
  else
    y = 4;
  end if;
  der(z) = 0;
end M;
