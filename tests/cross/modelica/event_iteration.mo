// production: event iteration
// supported: a chain of events at one instant, each of which causes the next
// value: n = 5
// value: t1 = 0.25
model M
  parameter Integer N = 5;
  discrete Integer n(start = 0);
  discrete Real t1(start = 0);
  Boolean b[N](each start = false);
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  b[1] = x > 0.25;
  for i in 2:N loop
    b[i] = pre(b[i - 1]);
  end for;
  when {b[i] for i in 1:N} then
    n = pre(n) + 1;
    t1 = time;
  end when;
end M;
