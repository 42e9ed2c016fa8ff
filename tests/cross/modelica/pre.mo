// production: pre(x) in equations
// supported: of discrete variables anywhere, of others in when-equations; event iteration ends where pre(x) = x
// value: on = 0
// value: switched = 7
// value: v = 0.5
model M "a controller with two thresholds: pre(on) is its memory"
  Real x(start = 0.5, fixed = true);
  Boolean on(start = true);
  discrete Integer switched(start = 0);
  discrete Real v(start = 0);
equation
  on = x < 1 and (pre(on) or x < 0.5);
  der(x) = if on then 10 else -10;
  when change(on) then
    switched = pre(switched) + 1;
  end when;
  when x > 0.75 then
    v = pre(x) - 0.25;
  end when;
  annotation(experiment(StopTime = 0.37));
end M;
