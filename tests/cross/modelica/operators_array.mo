// production: operators of arrays
// supported: products of matrices and vectors, powers of matrices, `.*` and the like by entries
// value: x = 11
// value: y[2] = 8
model M
  parameter Real A[2, 2] = [1, 2; 3, 4];
  Real x = {1, 2}*{3, 4}, y[2] = {2, 2}.*{3, 4}, v[2] = A*{1, 1}, z(start = 0);
equation
  der(z) = v[1];
end M;
