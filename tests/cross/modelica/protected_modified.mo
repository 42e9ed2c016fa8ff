// production: a modification of what is protected
// refused: "k" of A is protected and cannot be modified from outside
package ProtectedModified
  model A
    Real x(start = 0, fixed = true);
  protected
    parameter Real k = 2;
  equation
    der(x) = k;
  end A;
  model T
    A a(k = 4);
  end T;
end ProtectedModified;
