// production: import A.{B, C}
// refused: import of a list, A.{B, C}: not supported
package P
  model A
  end A;
end P;
model M
  import P.{A};
  Real z(start = 0);
equation
  der(z) = 0;
end M;
