// production: redeclare as an element
// refused: redeclare as an element of a class: not supported
model A
  replaceable Real x;
end A;
model M
  extends A;
  redeclare Real x;
end M;
