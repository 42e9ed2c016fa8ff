// production: connect of slices
// supported: `r.p` of an array of components, `u[2:3]`, `A[:, 1]`: connectors one by one, in arrays of one shape
// value: r[3].p.i = 0.3333333333333333
// value: sink.u[2] = 3
connector Pin
  Real v;
  flow Real i;
end Pin;
connector In = input Real;
connector Out = output Real;
model Resistor
  Pin p, n;
  parameter Real R = 1;
equation
  p.v - n.v = R*p.i;
  p.i + n.i = 0;
end Resistor;
model Ground
  Pin p;
equation
  p.v = 0;
end Ground;
model Top
  Pin p[3];
equation
  p.v = ones(3);
end Top;
block Source
  Out y[3];
equation
  y = {1, 2, 3};
end Source;
block Sink
  In u[2];
end Sink;
model M
  Resistor r[3](R = {1, 2, 3});
  Top top;
  Ground g;
  Source source;
  Sink sink;
  Real z(start = 0, fixed = true);
equation
  connect(top.p, r.p);
  for i in 1:3 loop
    connect(r[i].n, g.p);
  end for;
  connect(source.y[2:3], sink.u);
  der(z) = 0;
end M;
