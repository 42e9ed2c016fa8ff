within Machine;
model Lever
  Parts.Bolt bolt(d = two);
  Real x(start = bolt.d, fixed = true);
equation
  der(x) = bolt.d;
end Lever;
