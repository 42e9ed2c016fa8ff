// production: pre outside of when
// refused: pre() outside of a when-equation: not supported
model M
  Real x(start = 0);
  discrete Integer n(start = 0);
  Real y = pre(n);
equation
  der(x) = 1;
  when x > 0.5 then
    n = 1;
  end when;
end M;
