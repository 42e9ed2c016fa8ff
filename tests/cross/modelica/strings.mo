// production: STRING
// supported: escapes; of Strings there are scalar parameters and constants
// value: x = 1
model M
  parameter String s = "a\"b" + "\n";
  Real x = if s == "a\"b\n" then 1 else 0;
  Real z(start = 0);
equation
  der(z) = 0;
end M;
