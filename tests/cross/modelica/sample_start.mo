// production: sample(start, interval) whose first tick is the start of the run
// supported: it counts, and so does a tick where the run ends; ticks are at start + k interval, without drift
// value: n = 11
// value: late = 0
model M
  Real x(start = 0, fixed = true);
  discrete Integer n(start = 0);
  discrete Real late(start = 0);
equation
  der(x) = 1;
  when sample(0, 0.1) then
    n = pre(n) + 1;
    late = max(pre(late), abs(time - 0.1*(n - 1)));
  end when;
end M;
