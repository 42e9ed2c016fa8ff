// production: a model of functions of time alone
// supported: without anything to integrate, with and without events
// value: y = 1
// value: n = 2
model NothingMoves
  Real y = if time > 0.5 then time^2 else 0;
  Integer n = integer(2*time);
end NothingMoves;
