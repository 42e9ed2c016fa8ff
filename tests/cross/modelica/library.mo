// production: crank's library
// supported: `Crank.Blocks`, `Rotational`, `Translational`, `Electrical`, `Thermal`, `Constants`, `Units`, found by name
// value: filter.y = 0.632120558
// value: angle = 1.5707963267948966
model M
  import Crank.Blocks.*;
  Step step;
  FirstOrder filter(T = 1);
  Real angle = 90*Crank.Constants.deg;
equation
  connect(step.y, filter.u);
  annotation(experiment(Tolerance = 1e-8));
end M;
