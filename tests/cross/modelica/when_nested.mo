// production: when in when
// refused: when in a when-equation: not supported
model M
  Real x(start = 0);
  discrete Integer n(start = 0);
equation
  der(x) = 1;
  when x > 0.5 then
    when x > 1 then
      n = 1;
    end when;
  end when;
end M;
