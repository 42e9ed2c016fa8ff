// production: within NAME
// refused: within NAME: a file of a package of several files: not supported
within A.B;
model M
  Real x;
equation
  der(x) = 0;
end M;
