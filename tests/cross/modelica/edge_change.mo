// production: edge, change
// supported: of discrete variables, anywhere
// value: n = 1
// value: m = 2
// value: k = 1
model M
  Real x(start = 0, fixed = true);
  Boolean b(start = false);
  discrete Integer n(start = 0), m(start = 0), k(start = 0);
equation
  der(x) = 1;
  b = x > 0.25 and x < 0.75;
  when edge(b) then
    n = pre(n) + 1;
  end when;
  when change(b) then
    m = pre(m) + 1;
  end when;
  when edge(b) and time < 0.5 then
    k = pre(k) + 1;
  end when;
end M;
