// The ball of models/bouncing-ball falls and bounces; a variable counts.
model Ball "Bouncing ball in Modelica"
  parameter Real e = 0.8 "restitution", g(unit = "m/s2") = 9.81, radius(unit = "m") = 0.1;
  Real h(start = 1, fixed = true, unit = "m"), v(start = 0, fixed = true, unit = "m/s");
  discrete Integer bounces(start = 0);
equation
  der(h) = v;
  der(v) = -g;
  when h < radius then
    reinit(v, -e*v);
    bounces = pre(bounces) + 1;
  end when;
  annotation(experiment(StopTime = 2, Tolerance = 1e-9));
end Ball;
