// production: bounces that become too small
// supported: a relation changes back at once where it leaves zero by more than is resolved; else it keeps its value, so that a model with a rule for rest comes to rest
// value: h = 0
// value: v = 0
// value: flying = 0
model Rest
  parameter Real e = 0.7, g = 9.81;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true), v_new(start = 0, fixed = true);
  Boolean flying(start = true, fixed = true), impact;
equation
  impact = h <= 0.0;
  der(v) = if flying then -g else 0;
  der(h) = v;
  when {h <= 0.0 and v <= 0.0, impact} then
    v_new = if edge(impact) then -e*pre(v) else 0;
    flying = v_new > 0;
    reinit(v, v_new);
  end when;
  annotation(experiment(StopTime = 3));
end Rest;
