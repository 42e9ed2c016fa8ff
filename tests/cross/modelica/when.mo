// production: when-equation
// supported: the condition is made of relations by and, or, not, or is `sample`, or a list {c, d}; variables get values, `pre(x)` is the one before
// value: n = 2
// value: x = 1
model M
  Real x(start = 0, fixed = true);
  discrete Integer n(start = 0), m(start = 0);
equation
  der(x) = 1;
  when {x > 0.25, x > 0.5} then
    n = pre(n) + 1;
    m = 2*n;
  end when;
end M;
