// production: constrainedby
// supported: a replacement keeps the modifications of what it replaces, or, with `constrainedby T(...)`, those that stand there; that it is a T is not checked
// value: a.y = 8
// value: b.y = 6
// value: c.y = 1
// value: m.y = 40
package RedeclareKept
  partial model Base
    parameter Real k = 1;
  end Base;
  model Sum
    extends Base;
    parameter Real q = 0;
    Real y = k + q;
  end Sum;
  model Ten
    extends Base;
    Real y = 10*k;
  end Ten;
  model S
    replaceable Base a(k = 5) constrainedby Base(k = 7);
    replaceable Base b(k = 6);
    replaceable Sum c(q = 3) constrainedby Base;
    replaceable model M = Sum(k = 4);
    M m;
    Real x(start = 1, fixed = true);
  equation
    der(x) = -x;
  end S;
  model T
    extends S(redeclare Sum a(q = 1), redeclare Sum b, redeclare Sum c, redeclare model M = Ten);
    annotation(experiment(StopTime = 1));
  end T;
end RedeclareKept;
