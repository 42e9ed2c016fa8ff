// production: subscripts that change in the run
// supported: of Integers and enumerations, in expressions: one of the entries; without one the run ends
// value: y = 30
// value: z = 3
// value: m = 6
model Part
  Real v;
end Part;
model M
  type State = enumeration(low, high);
  parameter Real table[3] = {10, 20, 30}, gain[State] = {1, 3}, A[2, 3] = [1, 2, 3; 4, 5, 6];
  Integer i(start = 1, fixed = true);
  State s(start = State.low, fixed = true);
  Part part[3](v = {1, 2, 3});
  Real y = table[i], z = if i > 0 then part[i].v else 0, x(start = 0, fixed = true), m = A[Integer(s), i];
equation
  der(x) = gain[s];
  when time > 0.3 then
    i = pre(i) + 2;
    s = State.high;
  end when;
end M;
