// production: functions and records that extend others with modifications
// supported: `function g = f(a = 5)`, `extends f(a = 10)`: other defaults of inputs and other values, the outermost counts; no redeclare
// value: p = 4
// value: q = 21
// value: r = 25
// value: s = 17
package Functions
  constant Real five = 5;
  function f
    input Real x;
    input Real a = 2;
    output Real y = x*a + b;
  protected
    Real b = a + 1;
  end f;
  function g
    extends f(a = 10);
  end g;
  function h = g(a = five);
  record A
    Real u = 1;
    Real w = 2;
  end A;
  record B = A(w = 7);
  model M
    Real x(start = 0, fixed = true);
    Real p = f(time)*1 - 1, q = g(time), r = h(time) + 14, s = h(time, a = 4) + 8;
    B b = B(u = 3);
    Real w = b.w;
  equation
    der(x) = 1;
  end M;
end Functions;
