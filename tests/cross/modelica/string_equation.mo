// production: a call as an equation that does nothing
// refused: String() as an equation or statement: it has no effect
model M
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  String(x);
end M;
