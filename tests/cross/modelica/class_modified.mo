// production: a modification of a class
// refused: a modification of the class "In" of Base: not supported, modify its components
package ClassModified
  model Base
    model In
      parameter Real k = 2;
      Real y = k*time;
    end In;
    In i;
  end Base;
  model T
    extends Base(In(k = 3));
  end T;
end ClassModified;
