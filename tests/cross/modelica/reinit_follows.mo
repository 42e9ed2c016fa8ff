// production: reinit of variables that constraints tie to others
// supported: states that it does not set follow as dependent coordinates; places stay where velocities are set
// value: a = 1.4835667499874683
// value: b = 2.9671334999749366
// value: n = 4
// value: w1 = 0.5834680733013005
// value: x = 0.06869871206827896
// value: y = -0.997637452665125
model ReinitFollows
  Real a(start = 1, fixed = true), b, c;
  Integer n(start = 0, fixed = true);
  Real w1(start = 1, fixed = true), w2, phi(start = 0, fixed = true), tau;
  Real x(start = 0, fixed = true), y(start = -1), vx(start = 2, fixed = true), vy, F;
equation
  b = 2*a;
  c = -a;
  der(b) = -2*b;
  when a < 0.5 then
    reinit(a, 1.5);
    n = pre(n) + 1;
  end when;
  w1 = 3*w2;
  der(phi) = w2;
  2*der(w1) = 1 - tau;
  5*der(w2) = 3*tau - w2;
  when phi > 0.5 then
    reinit(w2, 0.1);
  end when;
  der(x) = vx;
  der(y) = vy;
  der(vx) = F*x;
  der(vy) = F*y - 9.81;
  x^2 + y^2 = 1;
  when x > 0.3 then
    reinit(vx, -0.5*pre(vx));
  end when;
  annotation(experiment(StopTime = 2));
end ReinitFollows;
