// production: time in a function
// refused: time in a function: hand it in as an input
package FunctionTime
  function f
    input Real x;
    output Real y;
  algorithm
    y := x*time;
  end f;
  model T
    Real z(start = 1, fixed = true);
  equation
    der(z) = f(z);
  end T;
end FunctionTime;
