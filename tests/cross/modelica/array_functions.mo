// production: functions of arrays
// supported: size ndims zeros ones fill identity diagonal transpose symmetric cross skew outerProduct sum product min max linspace scalar vector matrix cat
// value: x = 3
// value: y = 24
// value: S[2,1] = 2
// value: S[1,2] = 2
// value: S[2,2] = 4
model M
  Real c[3] = cross({1, 0, 0}, {0, 1, 0});
  Real S[2, 2] = symmetric([1, 2; 3, 4]);
  Real x = sum(identity(3)) + max({0, -1}), y = product({2, 3, 4}), z(start = 0);
equation
  der(z) = c[3];
end M;
