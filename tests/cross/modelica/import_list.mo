// production: import A.{B, C}
// supported: classes and constants
// value: x = 6
package P
  package Q
    constant Real a = 1;
    constant Real b = 2;
    function triple
      input Real u;
      output Real y = 3*u;
    end triple;
  end Q;
  model M
    import P.Q.{a, b, triple};
    Real x(start = 0, fixed = true);
  equation
    der(x) = b + triple(a) + a;
  end M;
end P;
