// production: functions as arguments
// refused: a function as an argument: not supported
model M
  Real x(start = 0);
equation
  der(x) = f(function g());
end M;
