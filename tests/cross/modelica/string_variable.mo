// production: String variables
// refused: not supported
model M
  String s = "a";
  Real z(start = 0);
equation
  der(z) = 0;
end M;
