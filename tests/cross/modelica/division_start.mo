// production: division by a fixed start value that is zero
// refused: division_start.mo:7:3: division by zero: "r" is zero at the start
model DivisionStart
  Real r(fixed = true), x(start = 1, fixed = true), y = if r > 0 then x/r else 0;
equation
  der(r) = 1;
  der(x) = y + 1/r;
end DivisionStart;
