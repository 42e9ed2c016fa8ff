// production: a modification of a component of a protected base
// refused: "k" of B is protected and cannot be modified from outside
package ProtectedBase
  model A
    parameter Real k = 2;
    Real x(start = 0, fixed = true);
  equation
    der(x) = k;
  end A;
  model B
  protected
    extends A;
  end B;
  model T
    B b(k = 4);
  end T;
end ProtectedBase;
