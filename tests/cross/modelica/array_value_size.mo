// production: a value for an array of components that has another size
// refused: a value of 3 entries for an array of 2 components; `each` before the name gives all of it to each
package ArrayValueSize
  model A
    parameter Real k = 1;
    Real x(start = 0, fixed = true);
  equation
    der(x) = k;
  end A;
  model T
    A a[2](k = {1, 2, 3});
  end T;
end ArrayValueSize;
