// production: a component of another one that is protected
// refused: "y" of "a" is protected
package ProtectedUsed
  model A
    Real x(start = 0, fixed = true);
  protected
    Real y = 2*x;
  equation
    der(x) = 1;
  end A;
  model T
    A a;
    Real z = a.y;
  end T;
end ProtectedUsed;
