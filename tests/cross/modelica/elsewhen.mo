// production: elsewhen
// supported: an event of its own; of branches that begin at the same time the first one counts
// value: n = 2
model M
  Real x(start = 0, fixed = true);
  discrete Integer n(start = 0);
equation
  der(x) = 1;
  when x > 0.75 then
    n = 2;
  elsewhen x > 0.25 then
    n = 1;
  end when;
end M;
