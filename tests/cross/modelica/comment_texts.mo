// production: string comments
// supported: of the model: title; of variables: description of the column
// value: x = 1
model M
  Real x(start = 1) "a text" + " of two parts";
equation
  der(x) = 0 "nothing";
end M;
