// production: enumeration(:)
// refused: enumeration(:): not supported
type E = enumeration(:);
model M
  Real z(start = 0);
equation
  der(z) = 0;
end M;
