// The pendulum of models/pendulum-dae: a point on a rod in Cartesian coordinates, of index 3.
model Pendulum "Pendulum in Modelica"
  parameter Real m(unit = "kg") = 1, L(unit = "m") = 1, grav(unit = "m/s2") = 13.75;
  Real x(start = 0, unit = "m"), y(start = -1, unit = "m");
  Real vx(start = 5.24411510858424, unit = "m/s"), vy(start = 0, unit = "m/s");
  Real lambda(start = 20) "multiplier of the rod";
  Real energy = m/2*(vx^2 + vy^2) + m*grav*y;
equation
  der(x) = vx;
  der(y) = vy;
  m*der(vx) = -2*x*lambda;
  m*der(vy) = -m*grav - 2*y*lambda;
  x^2 + y^2 = L^2;
  annotation(experiment(StopTime = 10, Interval = 0.02, Tolerance = 1e-7));
end Pendulum;
