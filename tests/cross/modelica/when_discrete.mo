// production: when with a discrete Boolean
// refused: it is a discrete Boolean: not supported
model M
  Real x(start = 0, fixed = true);
  discrete Boolean b(start = false);
  discrete Integer n(start = 0);
equation
  der(x) = 1;
  when x > 0.5 then
    b = true;
  end when;
  when b then
    n = 1;
  end when;
end M;
