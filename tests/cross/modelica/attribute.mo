// production: an attribute that is none
// refused: has no attribute "begin"
model M
  Real x(begin = 1);
equation
  der(x) = 0;
end M;
