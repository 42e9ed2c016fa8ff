// production: a modification of what is outer
// refused: "g" is outer: modify the inner component that it is
package OuterModified
  model B
    outer parameter Real g;
    Real x(start = 0, fixed = true);
  equation
    der(x) = g;
  end B;
  model T
    inner parameter Real g = 9;
    B b(g = 3);
  end T;
end OuterModified;
