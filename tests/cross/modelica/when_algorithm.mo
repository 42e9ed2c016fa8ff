// production: when in algorithms
// supported: elsewhen, pre, edge, change, reinit, terminate, if and for inside; variables that are assigned there begin with pre(x); not in if, functions and initial algorithms
// value: n = 7
// value: y = 9
// value: k = 1
// value: v = -0.5
// value: w[1] = 3
// value: w[2] = 2
model M
  Real x(start = 0, fixed = true), v(start = 1, fixed = true), w[2];
  discrete Integer n(start = 0), k(start = 0);
  discrete Real y(start = 0), u(start = 1);
  Boolean b(start = false);
equation
  der(x) = 1;
  der(v) = 0;
  w[2] = 2*u;
algorithm
  when x > 0.25 then
    n := pre(n) + 1;
    y := n*2; // the new n
    u := 1;
  elsewhen x > 0.5 then
    n := 7;
    if y > 1 then
      y := y + n;
    end if;
    reinit(v, -0.5);
  end when;
  b := x > 0.6; // not in when: follows x
  when b then
    k := pre(k) + 1;
  end when;
  w[1] := if edge(b) then 100 else 3;
end M;
