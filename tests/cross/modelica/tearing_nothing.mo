// production: residue() of what is no variable
// refused: residue(): a Real variable, or der() of one, is expected
model T
  Real x(start = 0, fixed = true), y;
equation
  der(x) = y;
  y = 0.5*cos(y) + residue(2*y);
end T;
