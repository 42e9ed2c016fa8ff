// production: constant records
// supported: constants of packages as values of parameters that are records
// value: x = 17
package P
  record Data
    parameter Real a = 1, b = 2*a;
    parameter Real t[:] = {1, 2};
  end Data;
  constant Data one = Data(a = 3), other = Data(a = 1, t = {4, 5, 6});
end P;
model Part
  parameter P.Data d;
  Real x = d.b + sum(d.t);
end Part;
model M
  Part p(d = P.one), q(d = P.other);
  Real x = p.x + q.x - 9, z(start = 0, fixed = true);
equation
  der(z) = 0;
end M;
