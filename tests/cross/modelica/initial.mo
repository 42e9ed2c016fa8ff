// production: initial()
// supported: in expressions and as the condition of when; true while the start is looked for
// value: n = 3
// value: m = 1
// value: y = 2
model M
  discrete Integer n(start = 0), m(start = 0);
  Real z(start = 0, fixed = true), y;
equation
  der(z) = 0;
  y = if initial() then 1 else 2;
  when initial() then
    m = 1;
  end when;
  when {initial(), sample(0.3, 0.4)} then
    n = pre(n) + 1;
  end when;
end M;
