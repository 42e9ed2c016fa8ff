//! base 0.1.0
// production: parameter equation guess(x) of Base Modelica
// supported: the start value of a variable that is declared above; not of parts of arrays
// value: y = 2
package 'G'
  model 'G'
    Real 'x'(start = 1.0, fixed = true);
    Real 'y';
    parameter equation guess('y') = 2.5;
  equation
    der('x') = 0;
    ('y' - 2)*('y' + 2) = 0*'x';
  end 'G';
end 'G';
