// production: sample(start, interval)
// supported: as a condition; the ticks before the run are left out
// value: n = 3
model M
  discrete Integer n(start = 0);
  Real z(start = 0);
equation
  der(z) = 0;
  when sample(0.3, 0.3) then
    n = pre(n) + 1;
  end when;
end M;
