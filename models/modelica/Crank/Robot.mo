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

  model Controller "cascade of position and speed"
    parameter Real kp, ks, ratio;
    parameter Units.Time Ts;
    Blocks.Input q, qd "that are asked for", phi, w "of the motor";
    Blocks.Output current;
    Blocks.PI PI(k = ks, T = Ts);
  equation
    PI.u = ratio*qd + kp*(ratio*q - phi) - w;
    current = PI.y;
  end Controller;

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
end Robot;
