// production: when with a discrete Boolean
// supported: events at the same time follow one another until nothing changes
// value: n = 1
// value: m = 7
model M
  Real x(start = 0, fixed = true);
  discrete Boolean b(start = false);
  discrete Integer n(start = 0), m(start = 3);
equation
  der(x) = 1;
  when x > 0.5 then
    b = true;
  end when;
  when b then
    n = pre(n) + 1;
  end when;
  when n > 0 then
    m = pre(m) + 4*n;
  end when;
end M;
