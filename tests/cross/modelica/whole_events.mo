// production: floor, ceil, integer, div, mod, rem of variables
// supported: constant between events, which happen where the argument passes a whole number
// value: count = 6
// value: steps = 4
// value: area = 0.4666666666666667
// value: down = -4
model M
  Integer count(start = -1, fixed = true), steps(start = 0, fixed = true), down = integer(-4*x);
  Real x(start = 0, fixed = true), area(start = 0, fixed = true);
equation
  der(x) = 1;
  der(area) = mod(x, 0.3)*10/3;
  when integer((time - 0.1)/0.14) > pre(count) then
    count = pre(count) + 1;
  end when;
  when change(down) then
    steps = pre(steps) + 1;
  end when;
  annotation(experiment(StopTime = 1, Tolerance = 1e-8));
end M;
