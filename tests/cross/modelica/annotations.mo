// production: annotation
// supported: `experiment(StartTime, StopTime, Interval, Tolerance)` counts; others have no meaning for the motion and are read over
// value: x = 2
model M
  Real x(start = 0, fixed = true) annotation(Dialog(group = "g"));
equation
  der(x) = 1 annotation(Line(points = {{0, 0}, {1, 1}}));
  annotation(experiment(StopTime = 2, Tolerance = 1e-8), Icon(graphics = {Line(points = {{-1, 0}})}));
end M;
