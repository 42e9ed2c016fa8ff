// production: redeclare of what is not replaceable
// refused: "a" is not replaceable and cannot be redeclared
package RedeclareFixed
  model A
    Real x(start = 0, fixed = true);
  equation
    der(x) = 1;
  end A;
  model A2
    extends A;
  end A2;
  model B
    A a;
  end B;
  model T
    B b(redeclare A2 a);
  end T;
end RedeclareFixed;
