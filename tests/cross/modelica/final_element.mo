// production: a modification of a final parameter
// refused: "k" is final and cannot be modified
package FinalElement
  model A
    final parameter Real k = 2;
    Real x(start = 0, fixed = true);
  equation
    der(x) = k;
  end A;
  model T
    A a(k = 4);
  end T;
end FinalElement;
