// production: sum(e for i in ...)
// supported: sum, product, min, max of scalars; sum of arrays is an array
// value: s[3] = 9
// value: t = 21
// value: u = 21
// value: p = 24
// value: m = -2
// value: P[2,1] = 2
model Reductions
  Real x[2, 3] = {{1, 2, 3}, {4, 5, 6}}*time;
  Real s[3] = sum(x[i, :] for i in 1:2), t = sum(x[i, j] for i in 1:2, j in 1:3);
  Real u = sum({x[i, :] for i in 1:2}), p = product(i for i in 2:4), m = min(i*i - 4*i + 2 for i in 1:5);
  parameter Real A[2, 2] = [0, 1; -4, -0.5];
  Real P[2, 2] = A^2, y(start = 0, fixed = true);
equation
  der(y) = A[1, 2];
  annotation(experiment(StopTime = 1));
end Reductions;
