// production: a variable of a function that is public and neither input nor output
// refused: "q" of function f is neither input nor output: write it behind `protected`
package FunctionPublic
  function f
    input Real x;
    output Real y;
    Real q;
  algorithm
    q := x;
    y := q;
  end f;
  model T
    Real z(start = 0, fixed = true);
  equation
    der(z) = f(z);
  end T;
end FunctionPublic;
