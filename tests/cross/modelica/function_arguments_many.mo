// production: more arguments than inputs
// refused: f has 1 inputs, not 2
package FunctionArgumentsMany
  function f
    input Real x;
    output Real y;
  algorithm
    y := x;
  end f;
  model T
    Real z(start = 0, fixed = true);
  equation
    der(z) = f(z, 2);
  end T;
end FunctionArgumentsMany;
