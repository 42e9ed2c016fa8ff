// One axis of the Manutec r3 robot: controller, motor with its electronics, gear with friction that sticks, load. The
// parameters are those of the robot's second axis in the Modelica Standard Library 4.1.0 (RobotR3.OneAxis), whose
// published series this model reproduces; the model is crank's own.
model OneAxis "One axis of the Manutec r3 robot"
  parameter Real load(unit = "kg") = 15;
  Crank.Blocks.PointToPoint path(start = {0}, goal = {120*Crank.Constants.deg}, speed = {3}, acceleration = {10});
  Crank.Robot.Controller controller(kp = 5, ks = 0.5, Ts = 0.05, ratio = 210);
  Crank.Robot.Motor motor(J = 0.0013, k = 1.1616, w = 5500, D = 0.6);
  Crank.Robot.ElasticGear gear(ratio = 210, c = 8, d = 0.01, Rv0 = 0.5, Rv1 = 0.1/130);
  Crank.Rotational.Inertia arm(J = 1.3*load, phi(start = 0, fixed = true), w(start = 0, fixed = true));
equation
  controller.q = path.q[1];
  controller.qd = path.qd[1];
  controller.phi = motor.phi;
  controller.w = motor.speed;
  motor.current = controller.current;
  connect(motor.flange, gear.a);
  connect(gear.b, arm.a);
  annotation(experiment(StopTime = 1.6, Tolerance = 1e-6));
end OneAxis;
