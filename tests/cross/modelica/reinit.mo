// production: reinit
// supported: in when-equations
// value: x = 0.2
model M
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0.4 then
    reinit(x, 0);
  end when;
end M;
