// production: connect, flow
// supported: connectors, arrays and parts of them; sums of flows, flows that nothing is connected to are zero; from inside and outside a component
// value: a.v = 5
// value: b.p.i = 0
connector Pin
  Real v;
  flow Real i;
end Pin;
model A
  Pin p;
  Real v = p.v;
end A;
model S
  Pin p;
equation
  p.v = 5;
end S;
model M
  A a, b;
  S s;
  Real z(start = 0);
equation
  connect(a.p, s.p);
  a.p.i = 0;
  b.p.v = 1;
  der(z) = 0;
end M;
