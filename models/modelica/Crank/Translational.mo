within Crank;
package Translational "Masses that move along one axis"
  connector Flange
    Units.Length s "position";
    flow Units.Force f "force into the component";
  end Flange;

  partial model Compliant "force between two flanges"
    Flange a, b;
    Units.Length s_rel "of b against a";
    Units.Force f "into b";
  equation
    s_rel = b.s - a.s;
    b.f = f;
    a.f = -f;
  end Compliant;

  model Fixed
    Flange flange;
    parameter Units.Length s = 0;
  equation
    flange.s = s;
  end Fixed;

  model Mass
    Flange a, b;
    parameter Units.Mass m;
    Units.Length s;
    Units.Velocity v;
  equation
    s = a.s;
    s = b.s;
    der(s) = v;
    m*der(v) = a.f + b.f;
  end Mass;

  model Spring
    extends Compliant;
    parameter Real c(unit = "N/m", min = 0);
    parameter Units.Length s0 = 0 "length without force";
  equation
    f = c*(s_rel - s0);
  end Spring;

  model Damper
    extends Compliant;
    parameter Real d(unit = "N.s/m", min = 0);
  equation
    f = d*der(s_rel);
  end Damper;

  model Force "of a signal"
    Flange flange;
    Blocks.Input f;
  equation
    flange.f = -f;
  end Force;

  model Wheel "rolls: a shaft of radius r moves a mass"
    Rotational.Flange shaft;
    Flange flange;
    parameter Units.Length r;
  equation
    shaft.phi*r = flange.s;
    0 = shaft.tau + r*flange.f;
  end Wheel;
end Translational;
