within Crank;
package MultiBody "Bodies in space and what joins them; vectors are resolved in the frame that they are of"
  connector Frame "cut through a body"
    Real w[3](each unit = "rad/s") "angular velocity";
    Real z[3](each unit = "rad/s2") "angular acceleration";
    Real a[3](each unit = "m/s2") "acceleration, less that of gravity";
    flow Real f[3](each unit = "N") "force into the component";
    flow Real t[3](each unit = "N.m") "torque into it";
  end Frame;

  model Ground "at rest; gravity pulls along -y"
    parameter Real g(unit = "m/s2") = 9.81;
    Frame b;
  equation
    b.w = zeros(3);
    b.z = zeros(3);
    b.a = {0, g, 0};
  end Ground;

  model Body "rigid, from frame a to frame b, which is r off"
    parameter Real r[3](each unit = "m") = zeros(3) "from a to b", c[3](each unit = "m") = zeros(3) "from a to the centre of mass";
    parameter Real m(unit = "kg"), I[3, 3](each unit = "kg.m2") = diagonal({0.001, 0.001, 0.001}) "about the centre of mass";
    Frame a, b;
    Real ac[3] "acceleration of the centre of mass";
  equation
    b.w = a.w;
    b.z = a.z;
    b.a = a.a + cross(a.z, r) + cross(a.w, cross(a.w, r));
    ac = a.a + cross(a.z, c) + cross(a.w, cross(a.w, c));
    a.f + b.f = m*ac;
    a.t + b.t + cross(r, b.f) = cross(c, m*ac) + I*a.z + cross(a.w, I*a.w);
  end Body;

  model Revolute "b turns against a about n, driven by a flange"
    parameter Real n[3] "of length one";
    Frame a, b;
    Rotational.Flange axis;
    Units.Angle phi;
    Units.AngularVelocity w;
    Units.AngularAcceleration acc;
    Real R[3, 3] "from a to b", wa[3], za[3];
  equation
    phi = axis.phi;
    w = der(phi);
    acc = der(w);
    R = outerProduct(n, n) + (identity(3) - outerProduct(n, n))*cos(phi) - skew(n)*sin(phi);
    wa = R*a.w;
    za = R*a.z;
    b.w = wa + n*w;
    b.z = za + n*acc + cross(wa, n*w);
    b.a = R*a.a;
    a.f + transpose(R)*b.f = zeros(3);
    a.t + transpose(R)*b.t = zeros(3);
    axis.tau + n*b.t = 0;
  end Revolute;
end MultiBody;
