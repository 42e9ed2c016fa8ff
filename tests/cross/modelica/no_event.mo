// production: noEvent, smooth, homotopy
// supported: relations inside make no events; the actual expression of homotopy counts
// value: y = 1
model M
  Real x(start = -0.5, fixed = true), y;
equation
  der(x) = 1;
  y = noEvent(if x > 0 then 1 else 0) + smooth(0, if x > 0.1 then x else x) - homotopy(actual = x, simplified = 0);
end M;
