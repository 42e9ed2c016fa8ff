// production: an array that is too large
// refused: an array of more than 100000 entries
model M
  Real x[1000, 1000];
equation
  der(x) = zeros(1000, 1000);
end M;
