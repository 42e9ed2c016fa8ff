// production: redeclare of what no base has
// refused: redeclare of "y": no base has such a component
package RedeclareNothing
  model Base
    Real x(start = 0, fixed = true);
  equation
    der(x) = 1;
  end Base;
  model T
    extends Base;
    redeclare Real y = 3;
  end T;
end RedeclareNothing;
