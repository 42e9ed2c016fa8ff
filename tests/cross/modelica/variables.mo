// production: variables and attributes
// supported: `start`, `fixed`, `nominal`, `unit` have effect; `min`, `max` are checked of parameters and start values; `quantity`, `displayUnit`, `stateSelect`, `unbounded` are read and change nothing
// value: x = 2
model M
  Real x(start = 2, fixed = true, min = 0, max = 5, nominal = 2, unit = "m", displayUnit = "mm", quantity = "Length", stateSelect = StateSelect.prefer);
equation
  der(x) = 0;
end M;
