// production: functions in models
// supported: they use the constants of the component, and the functions that are redeclared in it
// value: a.x = 4
// value: b.x = 200
// value: c.x = 10
package FunctionInModel
  model Base
    constant Real k = 2;
    replaceable function law
      input Real u;
      output Real y;
    algorithm
      y := k*u;
    end law;
    function twice
      input Real u;
      output Real y = 0;
    algorithm
      for i in 1:2 loop
        y := y + law(u);
      end for;
    end twice;
    Real x(start = 0, fixed = true);
  equation
    der(x) = twice(1);
  end Base;
  function hundred
    input Real u;
    output Real y = 100*u;
  algorithm
  end hundred;
  model T
    Base a, b(redeclare function law = hundred), c(k = 5);
    annotation(experiment(StopTime = 1));
  end T;
end FunctionInModel;
