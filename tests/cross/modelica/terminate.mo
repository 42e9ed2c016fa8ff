// production: terminate
// supported: in when-equations: the run ends, with success
// value: x = 0.5
model M
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 0.5 then
    terminate("far enough");
  end when;
end M;
