// production: class extends
// supported: `redeclare model extends M`, `redeclare function extends f`: what is added to the class of the bases
// value: x = 6
// value: z = 7
// value: law = 17
package ClassExtends
  model Base
    replaceable model Act
      parameter Real k = 2;
      input Real u;
      Real y = k*u;
    end Act;
    Act act(u = 3);
    Real x(start = 0, fixed = true);
  equation
    der(x) = act.y;
  end Base;

  partial package Laws
    constant Real a = 1;
    replaceable partial function law
      input Real u;
      output Real y;
    end law;
  end Laws;

  package Square
    extends Laws(a = 8);
    redeclare function extends law
    algorithm
      y := u^2 + a;
    end law;
  end Square;

  model T
    extends Base;
    redeclare model extends Act
      parameter Real off = 1;
      Real more = y + off;
    end Act;
    Real z = act.more, law = Square.law(3);
    annotation(experiment(StopTime = 1));
  end T;
end ClassExtends;
