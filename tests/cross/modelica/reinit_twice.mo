// production: two reinit of a variable at one event, with different values
// refused: at t = 0.5 this reinit sets to 4 what the one of line 10 sets to 3; use elsewhen
// exit: 1
model T
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  when time > 0.5 then
    // the first
    reinit(x, 3);
  end when;
  when time > 0.5 then
    reinit(x, 4);
  end when;
end T;
