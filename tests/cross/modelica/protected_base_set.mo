// production: protected elements
// supported: used and modified in the class and in classes that extend it, `extends A(k = 3)`, `model B = A(k = 5)`
// value: b.x = 3
// value: c.x = 5
package ProtectedBaseSet
  model A
    Real x;
  protected
    parameter Real k = 2;
  equation
    x = k;
  end A;
  model B
    extends A(k = 3);
  end B;
  model C = A(k = 5);
  model T
    B b;
    C c;
    Real z(start = 0);
  equation
    der(z) = 0;
  end T;
end ProtectedBaseSet;
