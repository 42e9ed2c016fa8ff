within Crank;
package Rotational "Drive trains: shafts that turn about one axis"
  connector Flange
    Units.Angle phi "angle";
    flow Units.Torque tau "torque into the component";
  end Flange;

  partial model TwoFlanges
    Flange a, b;
  end TwoFlanges;

  partial model Compliant "torque between two flanges"
    extends TwoFlanges;
    Units.Angle phi_rel "of b against a";
    Units.Torque tau "into b";
  equation
    phi_rel = b.phi - a.phi;
    b.tau = tau;
    a.tau = -tau;
  end Compliant;

  model Fixed
    Flange flange;
    parameter Units.Angle phi = 0;
  equation
    flange.phi = phi;
  end Fixed;

  model Inertia
    extends TwoFlanges;
    parameter Units.Inertia J;
    Units.Angle phi;
    Units.AngularVelocity w;
  equation
    phi = a.phi;
    phi = b.phi;
    der(phi) = w;
    J*der(w) = a.tau + b.tau;
  end Inertia;

  model Gear "ideal: a turns ratio times as fast as b"
    extends TwoFlanges;
    parameter Real ratio;
  equation
    a.phi = ratio*b.phi;
    0 = ratio*a.tau + b.tau;
  end Gear;

  model Spring
    extends Compliant;
    parameter Real c(unit = "N.m/rad", min = 0);
    parameter Units.Angle phi0 = 0;
  equation
    tau = c*(phi_rel - phi0);
  end Spring;

  model Damper
    extends Compliant;
    parameter Real d(unit = "N.m.s/rad", min = 0);
  equation
    tau = d*der(phi_rel);
  end Damper;

  model SpringDamper
    extends Compliant;
    parameter Real c(unit = "N.m/rad", min = 0), d(unit = "N.m.s/rad", min = 0) = 0;
    Units.AngularVelocity w_rel;
  equation
    w_rel = der(phi_rel);
    tau = c*phi_rel + d*w_rel;
  end SpringDamper;

  model Torque "of a signal"
    Flange flange;
    Blocks.Input tau;
  equation
    flange.tau = -tau;
  end Torque;

  model BearingFriction "Coulomb and viscous friction against the ground, with sticking"
    extends TwoFlanges;
    parameter Units.Torque tau0 "at speed zero";
    parameter Real slope(unit = "N.m.s/rad") = 0, peak(min = 1) = 1 "of the torque that sticking bears";
    constant Integer backward = -1, stuck = 0, forward = 1;
    Units.AngularVelocity w;
    Units.AngularAcceleration acc;
    Units.Torque tau;
    Real s "torque while it sticks, else acceleration beyond the peak";
    Integer mode(start = stuck);
    Boolean startForward(start = false), startBackward(start = false), sticks, goesForward;
  equation
    a.phi = b.phi;
    w = der(a.phi);
    acc = der(w);
    a.tau + b.tau = tau;
    startForward = pre(mode) == stuck and (s > peak*tau0 or pre(startForward) and s > tau0) or initial() and w > 0;
    startBackward = pre(mode) == stuck and (s < -peak*tau0 or pre(startBackward) and s < -tau0) or initial() and w < 0;
    sticks = pre(mode) == stuck and not startForward and not startBackward;
    goesForward = startForward or pre(mode) == forward and not startBackward;
    acc = if sticks then 0 else if goesForward then s - peak*tau0 else s + peak*tau0;
    tau = if sticks then s else if goesForward then tau0 + slope*w else -tau0 + slope*w;
    mode = if (pre(mode) == forward or startForward) and w > 0 then forward
      else if (pre(mode) == backward or startBackward) and w < 0 then backward else stuck;
  end BearingFriction;
end Rotational;
