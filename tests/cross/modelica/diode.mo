// production: mixed systems of Boolean and Real unknowns
// supported: solved at events: ideal diodes and switches
// value: q = 0.6366197723675814
// value: r = 0.3183098861837907
model M "a bridge of four diodes rectifies: the charge of a period is 2/pi; one diode alone lets half of it through"
  model Diode
    parameter Real small = 1e-6;
    Real v, i, s;
    Boolean off(start = true);
  equation
    off = s < 0;
    v = if off then s else small*s;
    i = if off then small*s else s;
  end Diode;
  Diode d[4], single;
  Real u, a, b, p, i, q(start = 0, fixed = true), r(start = 0, fixed = true);
equation
  u = sin(6.283185307179586*time);
  a - b = u;
  d[1].v = a - p;
  d[2].v = b - p;
  d[3].v = -a;
  d[4].v = -b;
  i + d[3].i = d[1].i;
  d[4].i = i + d[2].i;
  d[1].i + d[2].i = p;
  der(q) = p;
  single.v = u - single.i;
  der(r) = single.i;
  annotation(experiment(Tolerance = 1e-8));
end M;
