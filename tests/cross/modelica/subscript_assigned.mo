// production: subscripts of what is assigned that change in the run
// refused: a subscript: here it must be known before the run
model M
  Integer i(start = 1, fixed = true);
  Real x[2];
equation
  when time > 0.3 then
    i = 2;
  end when;
algorithm
  x[i] := 1;
end M;
