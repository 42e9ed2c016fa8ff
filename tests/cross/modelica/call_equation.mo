// production: a call as an equation or statement
// supported: of functions, for their asserts
// value: x = 1
model M
  function check
    input Real x;
  algorithm
    assert(x < 2, "x is too large");
  end check;
  Real x(start = 0);
equation
  der(x) = 1;
  check(x);
algorithm
  check(2*x - 1);
end M;
