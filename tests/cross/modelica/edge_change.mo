// production: edge, change
// supported: as conditions of when
// value: n = 1
// value: m = 2
model M
  Real x(start = 0, fixed = true);
  Boolean b = x > 0.2 and x < 0.6;
  discrete Integer n(start = 0), m(start = 0);
equation
  der(x) = 1;
  when edge(b) then
    n = pre(n) + 1;
  end when;
  when change(b) then
    m = pre(m) + 1;
  end when;
end M;
