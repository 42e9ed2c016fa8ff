// production: an input of a function that is assigned
// refused: "x" cannot be assigned here: it is an input
package FunctionInputAssigned
  function f
    input Real x;
    output Real y;
  algorithm
    x := 2;
    y := x;
  end f;
  model T
    Real z(start = 0, fixed = true);
  equation
    der(z) = f(z);
  end T;
end FunctionInputAssigned;
