// production: a Real assigned inside and outside of when
// refused: "y", a Real, is assigned inside and outside of when
model M
  Real x(start = 0), y;
equation
  der(x) = 1;
algorithm
  y := x;
  when x > 0.5 then
    y := 1;
  end when;
end M;
