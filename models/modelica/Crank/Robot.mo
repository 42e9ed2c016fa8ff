within Crank;
package Robot "Drives of the Manutec r3 robot"
  model Motor "current controller of three amplifiers, armature, rotor"
    import Crank.Electrical.*;
    parameter Units.Inertia J;
    parameter Real k, w, D;
    Blocks.Input current "that is asked for";
    Rotational.Flange flange;
    Units.Angle phi;
    Units.AngularVelocity speed;
    VoltageSource source, measured;
    Resistor Ra(R = 250), Rd1(R = 100), Rd2(R = 100), Rd3(R = 100), Rd4(R = 100), Ri(R = 10), Rp1(R = 200), Rp2(R = 50);
    Inductor La(L = 250/(2*D*w));
    Capacitor C(C = 0.004*D/w);
    Amplifier difference, integral, power;
    Machine machine(k = k);
    CurrentSensor hall;
    Ground ground;
    Rotational.Inertia rotor(J = J);
  initial equation
    der(C.v) = 0;
    der(La.i) = 0;
  equation
    source.u = current;
    measured.u = hall.i;
    connect(source.n, ground.p);
    connect(measured.n, ground.p);
    // what is asked for less what flows
    connect(source.p, Rd2.p);
    connect(Rd2.n, difference.minus);
    connect(Rd1.p, difference.minus);
    connect(Rd1.n, difference.out);
    connect(measured.p, Rd3.p);
    connect(Rd3.n, difference.plus);
    connect(Rd4.p, difference.plus);
    connect(Rd4.n, ground.p);
    // its integral
    connect(difference.out, Ri.p);
    connect(Ri.n, integral.minus);
    connect(C.p, integral.minus);
    connect(C.n, integral.out);
    connect(integral.plus, ground.p);
    // five times of it
    connect(integral.out, power.plus);
    connect(Rp1.p, power.minus);
    connect(Rp1.n, power.out);
    connect(Rp2.p, power.minus);
    connect(Rp2.n, ground.p);
    // the armature
    connect(power.out, Ra.p);
    connect(Ra.n, La.p);
    connect(La.n, machine.p);
    connect(machine.n, hall.p);
    connect(hall.n, ground.p);
    connect(machine.flange, rotor.a);
    connect(rotor.b, flange);
    phi = rotor.phi;
    speed = rotor.w;
  end Motor;

  partial model Cascade "of position and speed, the latter with an integral"
    parameter Real kp, ks, ratio;
    parameter Units.Time Ts;
    Blocks.Input q, qd "that are asked for", phi, w "of the motor";
    Blocks.Output current;
    Blocks.PI PI(k = ks, T = Ts);
  end Cascade;

  model Controller
    extends Cascade;
  equation
    PI.u = ratio*qd + kp*(ratio*q - phi) - w;
    current = PI.y;
  end Controller;

  model FilteredController "speed by a tacho with filters of first and second order; three states, the current smoothed and limited"
    extends Cascade;
    parameter Units.Time Tt = 2e-4 "of the tacho's first filter";
    parameter Real wt(unit = "rad/s") = 6000, Dt = 0.7 "of its second one";
    parameter Real wc(unit = "rad/s") = 8000, Dc = 0.7 "of the current that is asked for";
    parameter Real most(unit = "A") = 12 "of that current";
    Blocks.FirstOrder first(T = Tt);
    Blocks.SecondOrder tacho(w = wt, D = Dt), smooth(w = wc, D = Dc, x(fixed = false));
    Blocks.Limiter limiter(high = most);
  initial equation
    der(smooth.v) = 0;
  equation
    first.u = w;
    tacho.u = first.y;
    PI.u = ratio*qd + kp*(ratio*q - phi) - tacho.y;
    smooth.u = PI.y;
    limiter.u = smooth.y;
    current = limiter.y;
  end FilteredController;

  model ElasticGear "friction at the motor, spring and damper, ratio: axes 1 to 3"
    extends Rotational.TwoFlanges;
    parameter Real ratio, c, d;
    parameter Units.Torque Rv0;
    parameter Real Rv1, peak = 1;
    Rotational.BearingFriction friction(tau0 = Rv0, slope = Rv1, peak = peak);
    Rotational.SpringDamper spring(c = c, d = d, phi_rel(start = 0, fixed = true), w_rel(start = 0, fixed = true));
    Rotational.Gear gear(ratio = ratio);
  equation
    connect(a, friction.a);
    connect(friction.b, spring.a);
    connect(spring.b, gear.a);
    connect(gear.b, b);
  end ElasticGear;

  model StiffGear "ratio, friction at the arm: axes 4 to 6"
    extends Rotational.TwoFlanges;
    parameter Real ratio;
    parameter Units.Torque Rv0;
    parameter Real Rv1, peak = 1;
    Rotational.Gear gear(ratio = ratio);
    Rotational.BearingFriction friction(tau0 = Rv0, slope = Rv1, peak = peak);
  equation
    connect(a, gear.a);
    connect(gear.b, friction.a);
    connect(friction.b, b);
  end StiffGear;

  model Mechanics "six joints, bodies and a load"
    import Crank.MultiBody.*;
    parameter Real load(unit = "kg") = 15, at[3](each unit = "m") = {0.1, 0.25, 0.1} "centre of the load";
    Rotational.Flange axis[6];
    Ground ground;
    Body b0(r = {0, 0.351, 0}, m = 1);
    Body b1(r = {0, 0.324, 0.3}, m = 1, I = diagonal({0.001, 1.16, 0.001}));
    Body b2(r = {0, 0.65, 0}, m = 56.5, c = {0.172, 0.205, 0}, I = [2.58, -0.46, 0; -0.46, 0.64, 0; 0, 0, 2.73]);
    Body b3(r = {0, 0.414, -0.155}, m = 26.4, c = {0.064, -0.034, 0}, I = [0.279, -0.07, 0; -0.07, 0.245, 0; 0, 0, 0.413]);
    Body b4(r = {0, 0.186, 0}, m = 28.7, I = diagonal({1.67, 0.081, 1.67}));
    Body b5(r = {0, 0.125, 0}, m = 5.2, I = diagonal({1.25, 0.81, 1.53}));
    Body b6(m = 0.5, c = {0.05, 0.05, 0.05});
    Body payload(m = load, c = at);
    Revolute r1(n = {0, 1, 0}), r2(n = {1, 0, 0}), r3(n = {1, 0, 0}), r4(n = {0, 1, 0}), r5(n = {1, 0, 0}), r6(n = {0, 1, 0});
  equation
    connect(ground.b, b0.a);
    connect(b0.b, r1.a);
    connect(r1.b, b1.a);
    connect(b1.b, r2.a);
    connect(r2.b, b2.a);
    connect(b2.b, r3.a);
    connect(r3.b, b3.a);
    connect(b3.b, r4.a);
    connect(r4.b, b4.a);
    connect(b4.b, r5.a);
    connect(r5.b, b5.a);
    connect(b5.b, r6.a);
    connect(r6.b, b6.a);
    connect(b6.b, payload.a);
    connect(axis[1], r1.axis);
    connect(axis[2], r2.axis);
    connect(axis[3], r3.axis);
    connect(axis[4], r4.axis);
    connect(axis[5], r5.axis);
    connect(axis[6], r6.axis);
  end Mechanics;

  partial model Axis "controller and motor of an axis; q, qd are asked for"
    parameter Real ratio, kp = 5, ks = 0.5;
    parameter Units.Time Ts = 0.05;
    parameter Real J, k, w, D;
    Blocks.Input q, qd;
    Rotational.Flange flange;
    replaceable Controller controller(kp = kp, ks = ks, Ts = Ts, ratio = ratio, PI(x(fixed = false)));
    Motor motor(J = J, k = k, w = w, D = D);
  equation
    controller.q = q;
    controller.qd = qd;
    controller.phi = motor.phi;
    controller.w = motor.speed;
    motor.current = controller.current;
  end Axis;

  model Axis1 "with an elastic gear, axes 1 to 3; starts in equilibrium, without friction"
    extends Axis;
    parameter Real c, d, Rv0, Rv1, peak = 1;
    ElasticGear gear(ratio = ratio, c = c, d = d, Rv0 = Rv0, Rv1 = Rv1, peak = peak,
      spring(phi_rel(fixed = false), w_rel(start = 0, fixed = true)));
  initial equation
    gear.friction.tau = 0;
    der(gear.spring.w_rel) = 0;
  equation
    connect(motor.flange, gear.a);
    connect(gear.b, flange);
  end Axis1;

  model Axis2 "with a stiff gear, axes 4 to 6; starts in equilibrium, without friction"
    extends Axis;
    parameter Real Rv0, Rv1, peak = 1;
    StiffGear gear(ratio = ratio, Rv0 = Rv0, Rv1 = Rv1, peak = peak);
  initial equation
    gear.friction.tau = 0;
  equation
    connect(motor.flange, gear.a);
    connect(gear.b, flange);
  end Axis2;
end Robot;
