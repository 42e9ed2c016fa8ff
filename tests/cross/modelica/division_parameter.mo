// production: division by a parameter that is zero
// refused: division_parameter.mo:7:3: division by zero: "m" is zero at the start
model DivisionParameter
  parameter Real m = 0, k = 2;
  Real x(start = 1, fixed = true), y = if k > 1 then x else x/m;
equation
  der(x) = y/m;
end DivisionParameter;
