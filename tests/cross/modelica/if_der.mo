// production: der(x) under a condition
// supported: also where it leaves the equations: a damper in a stop
// value: x = 1.4669402224
// value: f = 0
model IfDer
  Real x(start = 0, fixed = true), v(start = 1, fixed = true), f, gap;
equation
  der(x) = v;
  der(v) = -f;
  gap = x - 1;
  f = if gap > 0 and time < 1.9 then 2*der(gap) else 0;
  annotation(experiment(StopTime = 2.2));
end IfDer;
