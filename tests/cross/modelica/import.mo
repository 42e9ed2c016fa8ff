// production: import
// supported: `import A.B`, `import X = A.B`, `import A.*`
// value: x = 5
// value: y = 5
package P
  model A
    Real v = 5;
  end A;
end P;
model M
  import P.A;
  import Q = P;
  A a;
  Q.A b;
  Real x = a.v, y = b.v, z(start = 0);
equation
  der(z) = 0;
end M;
