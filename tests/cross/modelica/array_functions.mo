// production: functions of arrays
// supported: size ndims zeros ones fill identity diagonal transpose cross skew outerProduct sum product min max linspace scalar vector matrix cat
// value: x = 3
// value: y = 24
model M
  Real c[3] = cross({1, 0, 0}, {0, 1, 0});
  Real x = sum(identity(3)) + max({0, -1}), y = product({2, 3, 4}), z(start = 0);
equation
  der(z) = c[3];
end M;
