// production: an assert of a call that fails
// refused: x is too large
model M
  function check
    input Real x;
  algorithm
    assert(x < 2, "x is too large");
  end check;
  parameter Real p = 3;
  Real x(start = 0);
equation
  der(x) = 1;
  check(p);
end M;
