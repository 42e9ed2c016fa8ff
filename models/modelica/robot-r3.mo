// The Manutec r3 robot with its six drives, as in the Modelica Standard Library 4.1.0 (RobotR3.FullRobot): its parameters,
// its published series (36 states) are what this model reproduces; the model is crank's own.
package R3
  model Robot "Manutec r3: six joints, drives with motors, gears, friction that sticks; 36 states"
    parameter Real load(unit = "kg") = 15;
    parameter Real from[6] = {-60, 20, 90, 0, -110, 0}*Crank.Constants.deg, to[6] = {60, -70, -35, 45, 110, 45}*Crank.Constants.deg;
    Crank.Blocks.PointToPoint path(n = 6, start = from, goal = to, speed = {3, 1.5, 5, 3.1, 3.1, 4.1},
      acceleration = {15, 15, 15, 60, 60, 60});
    Crank.Robot.Mechanics mechanics(load = load,
      r1(phi(start = from[1], fixed = true), w(start = 0, fixed = true)), r2(phi(start = from[2], fixed = true), w(start = 0, fixed = true)),
      r3(phi(start = from[3], fixed = true), w(start = 0, fixed = true)), r4(phi(start = from[4], fixed = true), w(start = 0, fixed = true)),
      r5(phi(start = from[5], fixed = true), w(start = 0, fixed = true)), r6(phi(start = from[6], fixed = true), w(start = 0, fixed = true)));
    Crank.Robot.Axis1 axis1(ratio = -105, c = 43, d = 0.005, Rv0 = 0.4, Rv1 = 0.13/160, J = 0.0013, k = 1.1616, w = 4590, D = 0.6);
    Crank.Robot.Axis1 axis2(ratio = 210, c = 8, d = 0.01, Rv0 = 0.5, Rv1 = 0.1/130, J = 0.0013, k = 1.1616, w = 5500, D = 0.6);
    Crank.Robot.Axis1 axis3(ratio = 60, c = 58, d = 0.04, Rv0 = 0.7, Rv1 = 0.2/130, J = 0.0013, k = 1.1616, w = 5500, D = 0.6);
    Crank.Robot.Axis2 axis4(ratio = -99, Rv0 = 21.8, Rv1 = 9.8, peak = 26.7/21.8, J = 0.00016, k = 0.2365, w = 6250, D = 0.55);
    Crank.Robot.Axis2 axis5(ratio = 79.2, Rv0 = 30.1, Rv1 = 0.03, peak = 39.6/30.1, J = 0.00018, k = 0.2608, w = 6250, D = 0.55);
    Crank.Robot.Axis2 axis6(ratio = -99, Rv0 = 10.9, Rv1 = 3.92, peak = 16.8/10.9, J = 4.3e-5, k = 0.0842, w = 7400, D = 0.27);
  initial equation
    mechanics.r1.acc = 0;
    mechanics.r2.acc = 0;
    mechanics.r3.acc = 0;
    mechanics.r4.acc = 0;
    mechanics.r5.acc = 0;
    mechanics.r6.acc = 0;
  equation
    axis1.q = path.q[1];
    axis1.qd = path.qd[1];
    axis2.q = path.q[2];
    axis2.qd = path.qd[2];
    axis3.q = path.q[3];
    axis3.qd = path.qd[3];
    axis4.q = path.q[4];
    axis4.qd = path.qd[4];
    axis5.q = path.q[5];
    axis5.qd = path.qd[5];
    axis6.q = path.q[6];
    axis6.qd = path.qd[6];
    connect(axis1.flange, mechanics.axis[1]);
    connect(axis2.flange, mechanics.axis[2]);
    connect(axis3.flange, mechanics.axis[3]);
    connect(axis4.flange, mechanics.axis[4]);
    connect(axis5.flange, mechanics.axis[5]);
    connect(axis6.flange, mechanics.axis[6]);
    annotation(experiment(StopTime = 2, Tolerance = 1e-6));
  end Robot;

  model Robot66 "the same with tachos, their filters, three-state controllers and limiters: 66 states"
    extends Robot(
      axis1(redeclare Crank.Robot.FilteredController controller), axis2(redeclare Crank.Robot.FilteredController controller),
      axis3(redeclare Crank.Robot.FilteredController controller), axis4(redeclare Crank.Robot.FilteredController controller),
      axis5(redeclare Crank.Robot.FilteredController controller), axis6(redeclare Crank.Robot.FilteredController controller));
    annotation(experiment(StopTime = 2, Tolerance = 1e-6));
  end Robot66;
end R3;
