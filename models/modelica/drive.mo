// A drive train of rotating components: motor, gear, elastic shaft, load.
package Drive
  connector Flange
    Real phi(unit = "rad") "angle";
    flow Real tau(unit = "N.m") "torque into the component";
  end Flange;

  model Inertia
    Flange a, b;
    parameter Real J(unit = "kg.m2", min = 0);
    Real phi(start = 0, fixed = true, unit = "rad"), w(start = 0, fixed = true, unit = "rad/s");
  equation
    phi = a.phi;
    phi = b.phi;
    der(phi) = w;
    J*der(w) = a.tau + b.tau;
  end Inertia;

  model Gear "ideal"
    Flange a, b;
    parameter Real ratio;
  equation
    a.phi = ratio*b.phi;
    0 = ratio*a.tau + b.tau;
  end Gear;

  model Shaft "spring and damper"
    Flange a, b;
    parameter Real c(unit = "N.m/rad"), d(unit = "N.m.s/rad") = 0;
    Real twist = b.phi - a.phi;
  equation
    b.tau = c*twist + d*der(twist);
    a.tau = -b.tau;
  end Shaft;

  model Torque
    Flange b;
    input Real tau;
  equation
    b.tau = -tau;
  end Torque;

  model Train "Drive train in Modelica"
    Torque torque(tau = if time < 0.5 then 10 else 0);
    Inertia motor(J = 0.01);
    Gear gear(ratio = 10);
    Shaft shaft(c = 500, d = 2);
    Inertia load(J = 4);
  equation
    connect(torque.b, motor.a);
    connect(motor.b, gear.a);
    connect(gear.b, shaft.a);
    connect(shaft.b, load.a);
    annotation(experiment(StopTime = 1, Tolerance = 1e-8));
  end Train;
end Drive;
