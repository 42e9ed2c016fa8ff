// production: package
// supported: classes and constants by name, nested, encapsulated
// value: x = 6
package P
  constant Real a = 2;
  package Q
    constant Real b = 3*a;
  end Q;
  model M
    Real x = Q.b, y(start = 0);
  equation
    der(y) = P.Q.b;
  end M;
end P;
