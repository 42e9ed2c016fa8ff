// production: equations that follow from others by their numbers
// refused: dependent.mo:20:3: the equations do not determine
model Dependent "a circuit without a ground"
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Resistor
    Pin p, n;
  equation
    p.v - n.v = 2*p.i;
    p.i + n.i = 0;
  end Resistor;
  Resistor a, b;
  Real x(start = 0, fixed = true), s;
equation
  connect(a.n, b.n);
  der(x) = a.p.i;
  s = a.p.v - b.p.v;
  connect(a.p, b.p);

end Dependent;
