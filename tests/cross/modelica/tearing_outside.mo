// production: residue(x) elsewhere than in an equation, or twice in one
// refused: residue() stands in an equation of a model, under no condition
model T
  Real x(start = 0, fixed = true), y = 0.5*cos(y) + residue(y);
equation
  der(x) = y;
end T;
