// Two first-order filters in series [EOC95]: x1' = (u - x1)/T1, x2' = (x1 - x2)/T2.
block Filter "first order"
  input Real u;
  output Real y;
  parameter Real T(unit = "s", min = 0);
  Real x(start = 0, fixed = true);
equation
  T*der(x) = u - x;
  y = x;
end Filter;

model Filters "Two filters in series"
  Filter first(T = 0.1), second(T = 0.02);
equation
  first.u = 1;
  second.u = first.y;
  annotation(experiment(StopTime = 1, Tolerance = 1e-8));
end Filters;
