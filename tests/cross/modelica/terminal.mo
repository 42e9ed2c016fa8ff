// production: terminal()
// supported: true at the event where the run ends by its time, also as the condition of when
// value: last = 1
// value: before = 0
model M
  Real x(start = 0, fixed = true);
  discrete Real last(start = 0, fixed = true), before(start = 0, fixed = true);
equation
  der(x) = 1;
  when terminal() then
    last = x;
  end when;
  when time > 0.5 then
    before = if terminal() then 1 else 0;
  end when;
end M;
