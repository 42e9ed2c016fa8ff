// production: import
// supported: `import A.B`, `import X = A.B`, `import A.*`; of classes and of constants
// value: x = 3
// value: y = 6
// value: z = 12
package A
  constant Real two = 2;
  package B
    constant Real three = 3;
    model M
      parameter Real p;
      Real x = p;
    end M;
  end B;
end A;
model M
  import A.B;
  import X = A.B.M;
  import drei = A.B.three;
  import A.*;
  Real x = drei, y = two*B.three, z;
  X part(p = 12);
  Real t(start = 0);
equation
  der(t) = 1;
  z = part.x;
end M;
