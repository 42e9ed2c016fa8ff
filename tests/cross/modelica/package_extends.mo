// production: packages that extend others
// supported: their functions, records and constants, inherited ones too, use the constants and functions of the package by which they are named; `redeclare package Medium = Oil(rho = 5)`
// value: s.t.a = 1700
// value: s.t.b = 1700
// value: s.t.c = 850
// value: s.u.a = 10
// value: s.v.a = 2000
// value: r.t.a = 22
// value: r.t.b = 20
// value: r.u.a = 12
// value: q.t.a = 6
// value: o = 20
package PackageExtends
  package Plain
    constant Real rho = 1000, two = 2*rho;
    replaceable function h
      input Real T;
      output Real y;
    algorithm
      y := rho*T;
    end h;
    function twice
      input Real T;
      output Real y;
    algorithm
      y := 2*h(T);
    end twice;
    record State
      Real T;
      Real p = rho;
    end State;
    function state
      input Real T;
      output State s;
    algorithm
      s := State(T = T, p = rho);
    end state;
  end Plain;
  function triple
    input Real T;
    output Real y;
  algorithm
    y := 3*T;
  end triple;
  package Oil = Plain(rho = 850);
  package Other
    extends Oil(rho = 10);
    redeclare function extends h
    algorithm
      y := rho*T + 1;
    end h;
  end Other;
  package Third
    extends Other;
    constant Real q = two;
  end Third;
  model Tank
    replaceable package Medium = Plain;
    Medium.State s = Medium.state(3);
    Real a = Medium.twice(time), b = Medium.two, c = s.p;
  end Tank;
  model Sys
    replaceable package Medium = Oil;
    Tank t(redeclare package Medium = Medium), u(redeclare package Medium = Medium(rho = 5)), v;
  end Sys;
  model T
    Sys s, r(redeclare package Medium = Other);
    Sys q(redeclare package Medium = Plain(redeclare function h = triple));
    Real o = Third.q, x(start = 1, fixed = true);
  equation
    der(x) = -x;
    annotation(experiment(StopTime = 1));
  end T;
end PackageExtends;
