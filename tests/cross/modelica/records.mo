// production: record
// supported: components, values, constructors, equations between records
// value: b.re = 1
// value: b.im = 2
record C
  Real re;
  Real im = 0;
end C;
model M
  C a = C(1, im = 2);
  C b = a;
  Real z(start = 0);
equation
  der(z) = 0;
end M;
