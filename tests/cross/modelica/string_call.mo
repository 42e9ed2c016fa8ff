// production: String()
// supported: of numbers, Booleans and literals that are known before the run, with significantDigits, minimumLength, leftJustified, or a format "-8.3g" (OpenModelica writes "g"), by name or place; in messages variables are shown by their names
// value: x = 7
// value: z = 1
model M
  type E = enumeration(one, two);
  parameter Real p = 0.123456789;
  parameter Integer n = 12;
  parameter String s = String(p) + " " + String(p, significantDigits = 2) + String(n, minimumLength = 4, leftJustified = false);
  parameter String t = String(n > 3) + "," + String(E.two) + String(n, minimumLength = 3) + ".";
  parameter String u = String(p, "g") + String(p, format = "-6.2g") + String(n, "4d") + String(n, minimumLength = 20);
  Real z = if u == "0.1234570.12    12" + "12                  " then 1 else 0;
  Real x = (if s == "0.123457 0.12  12" then 3 else 0) + (if t == "true,two12 ." then 4 else 0);
  Real y(start = 0);
equation
  der(y) = 1;
  assert(y < 5, "y is " + String(y, "g"));
end M;
