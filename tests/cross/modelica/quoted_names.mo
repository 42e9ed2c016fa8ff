// production: Q-IDENT
// supported: quoted names keep their quotes
// value: 'x y' = 2
model M
  Real 'x y' = 2;
  Real z(start = 0);
equation
  der(z) = 'x y';
end M;
