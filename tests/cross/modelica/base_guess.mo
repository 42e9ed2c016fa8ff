// production: guess(x) of Base Modelica
// refused: there is no function "guess"
model M
  parameter Real p(fixed = true) = 1;
  Real x;
initial equation
  guess(x) = 3;
equation
  der(x) = p;
end M;
