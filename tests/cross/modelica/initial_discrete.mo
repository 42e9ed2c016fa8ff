// production: initial equations of discrete variables
// supported: x = e and pre(x) = e, e of parameters for pre(x); also in initial algorithms
// value: d = 12
// value: n = 8
// value: b = 1
// value: kept = 4
model M
  Real x(start = 4, fixed = true);
  discrete Real d, kept;
  Integer n;
  Boolean b;
initial equation
  d = x + 2;
  pre(n) = 7;
  kept = x;
initial algorithm
  b := false;
equation
  der(x) = 1;
  when time > 0.5 then
    d = 2*pre(d);
    n = pre(n) + 1;
    b = not pre(b);
  end when;
  when time > 5 then
    kept = 0;
  end when;
end M;
