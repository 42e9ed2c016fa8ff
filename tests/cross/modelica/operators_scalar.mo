// production: operators
// supported: `+ - * / ^`, relations, `and or not`, if-expressions; priorities as in the language
// value: x = -8
// value: y = 1
model M
  Real x = -2^3, y = if 1 < 2 and not 2 >= 3 or false then 1 else 0, z(start = 0);
equation
  der(z) = 0;
end M;
