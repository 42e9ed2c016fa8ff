// production: der, pre, edge, change, initial, terminal and sample in functions
// refused: der() in a function
package FunctionDer
  function f
    input Real x;
    output Real y;
  algorithm
    y := der(x);
  end f;
  model T
    Real z(start = 1, fixed = true);
  equation
    der(z) = z - f(z);
  end T;
end FunctionDer;
