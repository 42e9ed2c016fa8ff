// production: functions
// supported: inputs with defaults, by name; several results; loops and conditions; put into the equations as expressions
// value: x = 5
// value: c = 1
function norm
  input Real v[:];
  input Real p = 2;
  output Real s = 0;
algorithm
  for i in 1:size(v, 1) loop
    s := s + abs(v[i])^p;
  end for;
  s := s^(1/p);
end norm;
function two
  input Real x;
  output Real a;
  output Real b;
algorithm
  a := sin(x);
  b := cos(x);
end two;
model M
  Real x = norm({3, 4}, p = 2), s, c, z(start = 0);
equation
  (s, c) = two(z);
  der(z) = 0;
end M;
