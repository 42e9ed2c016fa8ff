within Crank;
package Electrical "Circuits"
  connector Pin
    Units.Voltage v "potential";
    flow Units.Current i "current into the component";
  end Pin;

  partial model TwoPins
    Pin p, n;
    Units.Voltage v "from p to n";
    Units.Current i "from p to n";
  equation
    v = p.v - n.v;
    0 = p.i + n.i;
    i = p.i;
  end TwoPins;

  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  model Resistor
    extends TwoPins;
    parameter Units.Resistance R;
  equation
    v = R*i;
  end Resistor;

  model Capacitor
    extends TwoPins;
    parameter Units.Capacitance C;
  equation
    C*der(v) = i;
  end Capacitor;

  model Inductor
    extends TwoPins;
    parameter Units.Inductance L;
  equation
    L*der(i) = v;
  end Inductor;

  model Diode "ideal but for a small resistance, and a small conductance while it blocks"
    extends TwoPins;
    parameter Units.Resistance R = 1e-5;
    parameter Real G(unit = "S") = 1e-5;
    Boolean off(start = true);
    Real s;
  equation
    off = s < 0;
    v = if off then s else R*s;
    i = if off then G*s else s;
  end Diode;

  model Switch "closed where the signal is true"
    extends TwoPins;
    parameter Units.Resistance R = 1e-5;
    parameter Real G(unit = "S") = 1e-5;
    input Boolean closed;
    Real s;
  equation
    v = if closed then R*s else s;
    i = if closed then s else G*s;
  end Switch;

  model VoltageSource "of a signal"
    extends TwoPins;
    Blocks.Input u;
  equation
    v = u;
  end VoltageSource;

  model SineVoltage
    extends TwoPins;
    parameter Units.Voltage V;
    parameter Real f(unit = "Hz") = 50, phase(unit = "rad") = 0;
  equation
    v = V*sin(2*Constants.pi*f*time + phase);
  end SineVoltage;

  model CurrentSensor
    Pin p, n;
    Blocks.Output i;
  equation
    p.v = n.v;
    0 = p.i + n.i;
    i = p.i;
  end CurrentSensor;

  model Amplifier "ideal operational amplifier: no current in, no voltage between the inputs"
    Pin plus, minus, out;
  equation
    plus.v = minus.v;
    plus.i = 0;
    minus.i = 0;
  end Amplifier;

  model Machine "a current makes a torque, a speed a voltage"
    extends TwoPins;
    Rotational.Flange flange;
    parameter Real k(unit = "N.m/A");
    Units.AngularVelocity w;
  equation
    w = der(flange.phi);
    v = k*w;
    flange.tau = -k*i;
  end Machine;
end Electrical;
