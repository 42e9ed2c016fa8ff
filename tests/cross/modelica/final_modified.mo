// production: a modification of what is final
// refused: "k" is final and cannot be modified
package FinalModified
  model A
    parameter Real k = 2;
    Real x(start = 0, fixed = true);
  equation
    der(x) = k;
  end A;
  model B
    A a(final k = 3);
  end B;
  model T
    B b(a(k = 4));
  end T;
end FinalModified;
