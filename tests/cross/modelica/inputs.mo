// production: inputs of the model itself
// supported: that nothing inside gives: they keep their start values, which `--set u=3` changes
// options: --set w[2]=5
// value: y = 3
// value: x = 7
// value: on = 1
model Inputs
  connector RealInput = input Real;
  RealInput u(start = 2);
  input Real w[2](start = {1, 2});
  input Boolean b(start = true);
  input Real given = 1;
  output Real y;
  Boolean on = b;
  Real x(start = 0, fixed = true);
equation
  y = u + given;
  der(x) = u + w[2];
end Inputs;
