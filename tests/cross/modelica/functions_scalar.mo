// production: functions of numbers
// supported: sin cos tan asin acos atan atan2 sinh cosh tanh exp log log10 sqrt abs sign floor ceil integer div mod rem min max
// value: x = 2
// value: y = -3
// value: w = -1
model M
  Real x = mod(-4, 3), y = floor(-2.5), w = rem(-4, 3), z(start = 0);
equation
  der(z) = atan2(z, 1);
end M;
