// production: relations of time alone
// supported: steps do not follow them; they are looked at 64 times in each step
// value: n = 15
// value: last = 1.8849555921538759
model RelationOfTime
  Real x(start = 0, fixed = true);
  discrete Real last(start = -7);
  Integer n(start = 0), k(start = 0);
  Boolean trig = sin(10*time) > 0;
equation
  der(x) = 1;
  when {trig, time > 0.95} then
    last = x;
    k = pre(k) + 1;
  end when;
  when cos(50*time) > 0.99 then
    n = pre(n) + 1;
  end when;
  annotation(experiment(StopTime = 2));
end RelationOfTime;
