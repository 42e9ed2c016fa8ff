// production: redeclare as an element
// supported: of a component or a class of a base, `redeclare T x`, `redeclare model A = B`, `redeclare model A ... end A`
// value: b.y = 9
// value: c.y = 11
// value: x = -3
package RedeclareElement
  model Gain
    parameter Real k = 1;
    Real y = k;
  end Gain;
  model Sum
    parameter Real k = 1, q = 0;
    Real y = k + q;
  end Sum;
  model Base
    replaceable Gain b(k = 5) constrainedby Gain(k = 7);
    replaceable Gain c(k = 6);
    replaceable model Act
      Real y = 1;
    end Act;
    Act act;
    Real x(start = 0, fixed = true);
  equation
    der(x) = act.y;
  end Base;
  model T
    extends Base;
    redeclare Sum b(q = 2);
    redeclare Sum c(k = 1, q = 10);
    redeclare model Act
      Real y = -3;
    end Act;
    annotation(experiment(StopTime = 1));
  end T;
end RedeclareElement;
