// production: a Real assigned to an Integer in when
// refused: Integer = Real
model M
  Real x(start = 1, fixed = true);
  Integer n(start = 0, fixed = true);
equation
  der(x) = -x;
  when x < 0.5 then
    n = x;
  end when;
end M;
