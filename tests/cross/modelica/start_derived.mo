// production: variables without start
// supported: begin where an equation says, from start values of others, if its slope there is a number; else near zero
// value: y = 8
// value: m = 1.1614401858304297
// value: T = 301.23
model StartDerived
  Real x(start = 1), y, z;
  Real p(start = 1e5, fixed = true), T(start = 300, fixed = true), state, m, u, U;
equation
  x + y = 10;
  der(x) + 2*der(y) = -z;
  z = if x > 0.5 then 1 else 2;
  state = T;
  m = p/(287*state);
  u = 700*T + p/m*0;
  U = m*u;
  der(m) = 0;
  der(U) = 1000;
end StartDerived;
