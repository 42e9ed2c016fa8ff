// production: residue(x), linresidue(x), donottear(x)
// supported: terms that are zero: methods `inline-...` iterate on x, with this equation as residual; begin a linear system with x; do not iterate on x. x: a Real variable or der() of one
// value: y = 0.4501836113
model T
  Real x(start = 0, fixed = true), y(start = 0.4), z(start = 0.2);
equation
  der(x) = 0;
  y = 0.5*cos(z + x) + residue(y) - donottear(der(x));
  z = y + x + linresidue(z);
end T;
