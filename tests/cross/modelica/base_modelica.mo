//! base 0.1.0
// production: Base Modelica
// supported: as OpenModelica exports it: `//! base 0.1.0`, quoted names with dots, `Real[2] x`, records and functions of the package, parameters in any order, attributes, assert
// value: cap.v[1] = 0.2642411176571271
// value: held = 0.2642411176571271
// value: mean = 0.48496878236
// value: r[2].z[3] = 6
// value: on = 1
// value: n = 4
package 'Base'
  type 'Color' = enumeration('Red', 'Green', 'Blue');
  type 'Voltage' = Real(quantity = "ElectricPotential", unit = "V", displayUnit = "V");

  record 'R'
    Real 'x';
    Real[3] 'z';
  end 'R';

  function 'Base.mean'
    input Real[:] 'X';
    output Real 'Y';
    output Real 'n';
    constant Real[2] 'Z' = {2.0, 3.0};
  algorithm
    'Y' := 'X' * 'Z' / 5.0;
    'n' := 2.0;
  end 'Base.mean';

  model 'Base' "as exported"
    parameter Real 'part.R'(quantity = "Resistance", unit = "Ohm", start = 1.0) = 2.0 * 'part.half' "depends on one below";
    parameter Real 'part.half'(unit = "Ohm") = 50.0 annotation(Evaluate = true);
    parameter String 'part.name' = "a \"name\"";
    final parameter Boolean 'part.used' = 'part.name' == "other" annotation(Evaluate = true);
    constant Integer 'map[\'Color\'.\'Red\']' = 4;
    'Color' 'c';
    'R'[2] 'r';
    Real[2] 'cap.v'(start = {0.0, 1.0}, fixed = {true, true}) "two capacitors";
    Real 'i'[2];
    discrete Real 'held'(start = 0.0, fixed = true);
    'Voltage' 'u', 'mean';
    Boolean 'on'(start = false, fixed = true);
    Integer 'n';
  equation
    'c' = 'Color'.'Green';
    'n' = 'map[\'Color\'.\'Red\']';
    'r'[1].'x' = 1.0;
    'r'[1].'z' = {1.0, 2.0, 3.0};
    'r'[2] = 'R'(2.0, {4.0, 5.0, 6.0});
    'u' = time ^ 2.0 "a comment";
    for '$i1' in 1:2 loop
      'i'['$i1'] = ('u' - 'cap.v'['$i1']) / 'part.R';
    end for;
    der('cap.v') = 'i' ./ 0.01;
    ('mean', ) = 'Base.mean'('cap.v');
    'on' = 'cap.v'[1] > 0.1;
    when sample(0.25, 0.25) then
      'held' = 'cap.v'[1];
    end when;
    assert('part.R' > 0.0, "R must be positive", AssertionLevel.error);
    annotation(experiment(StopTime = 1.0, Interval = 0.002, Tolerance = 1e-06));
  end 'Base';
end 'Base';
