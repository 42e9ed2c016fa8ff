// production: expression = expression
// supported: scalars, arrays, records; linear in derivatives or not (then der(x) becomes a variable)
// value: x = 0.5
model M
  Real x(start = 0), y(start = 1);
equation
  der(x)^3 + der(x) = 0.625;
  der(y) = 0;
end M;
