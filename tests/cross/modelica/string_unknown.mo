// production: String() of a variable outside of messages
// refused: String() of what is not known before the run: not supported
model M
  Real x(start = 0);
  parameter String s = String(x);
equation
  der(x) = 1;
end M;
