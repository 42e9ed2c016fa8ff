package Crank "Components for drives, circuits, heat and signals"
  package Constants
    constant Real pi = 3.14159265358979323846;
    constant Real deg = pi/180 "a degree in rad";
    constant Real g(unit = "m/s2") = 9.81 "acceleration of gravity";
  end Constants;

  package Units
    type Angle = Real(unit = "rad");
    type AngularVelocity = Real(unit = "rad/s");
    type AngularAcceleration = Real(unit = "rad/s2");
    type Torque = Real(unit = "N.m");
    type Inertia = Real(unit = "kg.m2", min = 0);
    type Length = Real(unit = "m");
    type Velocity = Real(unit = "m/s");
    type Acceleration = Real(unit = "m/s2");
    type Mass = Real(unit = "kg", min = 0);
    type Force = Real(unit = "N");
    type Voltage = Real(unit = "V");
    type Current = Real(unit = "A");
    type Resistance = Real(unit = "Ohm");
    type Capacitance = Real(unit = "F", min = 0);
    type Inductance = Real(unit = "H", min = 0);
    type Temperature = Real(unit = "K");
    type HeatFlow = Real(unit = "W");
    type Time = Real(unit = "s");
  end Units;
end Crank;
