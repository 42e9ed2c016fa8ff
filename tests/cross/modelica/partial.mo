// production: a partial model
// refused: which is partial
partial model A
  Real x;
end A;
model M
  A a;
  Real z(start = 0);
equation
  der(z) = 0;
end M;
