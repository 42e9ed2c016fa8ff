// Three equations in three unknowns that can be solved one after the other, once they are sorted; s is a
// state, whose derivative follows.
model Sorting "Equations in the wrong order"
  Real x, y, z, s(start = 1, fixed = true);
equation
  y + x*z = 1;
  x^2 + z = 3*s;
  x = 2*time + s;
  der(s) = -s;
  annotation(experiment(StopTime = 1, Tolerance = 1e-8));
end Sorting;
