// A nonlinear plant x' = f(x, u) with a linear controller of second order [EOC95].
model Plant "tank: outflow by Torricelli's law"
  parameter Real a = 1, c = 0.5;
  input Real u;
  output Real y;
  Real x(start = 1, fixed = true);
equation
  der(x) = c*u - a*sqrt(noEvent(if x > 1e-6 then x else 1e-6));
  y = x;
end Plant;

model Controller
  parameter Real w = 5, D = 0.7, k = 3;
  input Real y;
  output Real u;
  Real x1(start = 0, fixed = true), x2(start = 0, fixed = true);
equation
  der(x1) = x2;
  der(x2) = -2*w*D*x2 - w^2*x1 + w^2*y;
  u = -k*x1;
end Controller;

model ControlledPlant "Plant and controller"
  Plant plant;
  Controller controller;
  parameter Real reference = 2;
equation
  controller.y = plant.y - reference;
  plant.u = controller.u;
  annotation(experiment(StopTime = 10, Tolerance = 1e-8));
end ControlledPlant;
