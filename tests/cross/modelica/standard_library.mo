// production: names of the Modelica Standard Library
// refused: there is no class "Modelica.Electrical.Analog.Basic.Resistor"; the Modelica Standard Library is no part of crank: export the model as Base Modelica
model StandardLibrary
  Modelica.Electrical.Analog.Basic.Resistor r(R = 1);
end StandardLibrary;
