// production: an argument that is given twice
// refused: "x" is given twice
package FunctionArgumentTwice
  function f
    input Real x;
    output Real y;
  algorithm
    y := x;
  end f;
  model T
    Real z(start = 0, fixed = true);
  equation
    der(z) = f(z, x = 2);
  end T;
end FunctionArgumentTwice;
