// production: replaceable, redeclare
// supported: of components, `redeclare T x`, and of classes, `redeclare model A = B`, in modifications
// value: a.r.y = 4
// value: a.s.y = 4
model R1
  Real y = 1;
end R1;
model R2
  parameter Real p = 2;
  Real y = p;
end R2;
model A
  replaceable model R = R1 constrainedby R1;
  R r;
  replaceable R1 s;
end A;
model M
  A a(redeclare model R = R2(p = 4), redeclare R2 s(p = 4));
  Real z(start = 0);
equation
  der(z) = 0;
end M;
