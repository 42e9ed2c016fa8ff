// production: a value that is not as square as its declaration
// refused: "A": dimension 2 is declared as long as 1
model M
  parameter Real A[:, size(A, 1)] = [1, 2, 3; 4, 5, 6];
  Real x(start = A[1, 1], fixed = true);
equation
  der(x) = 0;
end M;
