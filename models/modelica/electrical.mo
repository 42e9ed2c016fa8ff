// Circuits of components with pins: the two of models/circuits.
package Electrical
  constant Real pi = 3.14159265358979323846;
  type Voltage = Real(unit = "V");
  type Current = Real(unit = "A");

  connector Pin
    Voltage v "potential";
    flow Current i "current into the component";
  end Pin;

  partial model TwoPin
    Pin p, n;
    Voltage v "voltage from p to n";
    Current i "current from p to n";
  equation
    v = p.v - n.v;
    0 = p.i + n.i;
    i = p.i;
  end TwoPin;

  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  model Resistor
    extends TwoPin;
    parameter Real R(unit = "Ohm", min = 0);
  equation
    v = R*i;
  end Resistor;

  model Capacitor
    extends TwoPin;
    parameter Real C(unit = "F", min = 0);
  equation
    C*der(v) = i;
  end Capacitor;

  model Inductor
    extends TwoPin;
    parameter Real L(unit = "H", min = 0);
  equation
    L*der(i) = v;
  end Inductor;

  model SineVoltage
    extends TwoPin;
    parameter Voltage V = 5;
    parameter Real f(unit = "Hz") = 50;
  equation
    v = V*sin(2*pi*f*time);
  end SineVoltage;

  model RC "RC circuit in Modelica: index 1"
    SineVoltage source;
    Resistor r(R = 1000);
    Capacitor c(C = 1e-6, v(start = 0, fixed = true));
    Ground ground;
  equation
    connect(source.p, r.p);
    connect(r.n, c.p);
    connect(c.n, source.n);
    connect(source.n, ground.p);
    annotation(experiment(StopTime = 0.06, Interval = 2e-4, Tolerance = 1e-8));
  end RC;

  model CapacitorLoop "Circuit of index 2 in Modelica: a capacitor beside a voltage source"
    SineVoltage source;
    Capacitor c(C = 1e-5);
    Resistor r(R = 10);
    Inductor coil(L = 0.05, i(start = 0, fixed = true));
    Ground ground;
  equation
    connect(source.p, c.p);
    connect(source.p, r.p);
    connect(r.n, coil.p);
    connect(coil.n, source.n);
    connect(c.n, source.n);
    connect(source.n, ground.p);
    annotation(experiment(StopTime = 0.06, Interval = 2e-4, Tolerance = 1e-8));
  end CapacitorLoop;
end Electrical;
