within Machine.Parts;
model Wrong
  parameter Real p = 1;
  Real x;
equation
  x = p*missing;
end Wrong;
