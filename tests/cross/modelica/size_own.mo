// production: size of what is declared in its own declaration
// supported: `A[:, size(A, 1)]`: as many as in the other dimension, which the value gives
// value: y = 5
model M
  parameter Real A[:, size(A, 1)] = [1, 2; 3, 4], B[size(A, 1), :] = [1; 1];
  Real x[size(A, 1)](each start = 0, each fixed = true), y = sum(A[1, :])*B[2, 1] + size(A, 2);
equation
  der(x) = zeros(2);
end M;
