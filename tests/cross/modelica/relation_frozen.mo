// production: relations
// supported: frozen between events; at an event they change at once, also where a function only leaves zero
// value: y = 2.25
// value: n = 1
// value: seen = 1
model M "x stands at zero until 0.5, then leaves it"
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
  discrete Integer n(start = 0);
  discrete Real seen(start = -1);
equation
  der(x) = if time > 0.5 then 1 else 0;
  der(y) = if x > 0 then 4.5 else 0;
  when x > 0 then
    n = pre(n) + 1;
    seen = 2*time;
  end when;
end M;
