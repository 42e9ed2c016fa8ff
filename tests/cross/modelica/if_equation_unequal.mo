// production: if-equation with unequal branches
// refused: branches of 1 and 2 equations
model M
  Real x, y, z(start = 0);
equation
  if z < 10 then
    y = 2;
  else
    y = 4;
    x = 1;
  end if;
  der(z) = 0;
end M;
