// production: an input of the model itself without a value
// refused: the input "u" of the model has no value: give it one by start, in an equation, or --set u=VALUE
model InputsNone
  input Real u;
  Real x(start = 0, fixed = true);
equation
  der(x) = u;
end InputsNone;
