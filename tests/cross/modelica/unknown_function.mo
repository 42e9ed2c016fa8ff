// production: a function that is none
// refused: there is no function "bogus"
model M
  Real x(start = 0);
equation
  der(x) = bogus(x);
end M;
