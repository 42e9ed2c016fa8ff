// production: enumerations as sizes and ranges
// supported: `Real x[E]`, `for e in E loop`, `for b in Boolean`
// value: x[3] = 6
// value: s = 6
// value: k = 3
type E = enumeration(a, b, c);
function total
  input Real x[E];
  output Real s;
algorithm
  s := 0;
  for e in E loop
    s := s + x[e];
  end for;
end total;
model M
  Real x[E], z(start = 0, fixed = true);
  parameter Real p[E] = {1, 2, 3};
  Real s = total(p), k = sum({if b then 1 else 2 for b in Boolean});
equation
  for e in E loop
    x[e] = 2*p[e];
  end for;
  der(z) = 0;
end M;
