// production: annotation(derivative = g)
// supported: read over: functions become expressions, which are differentiated themselves
// value: x = 0.3241813835208839
// value: v = -0.5048825908847379
package P
  function circle
    input Real x;
    input Real y;
    output Real d;
  algorithm
    d := x^2 + y^2;
    annotation(derivative = circle_der);
  end circle;
  function circle_der
    input Real x;
    input Real y;
    input Real dx;
    input Real dy;
    output Real d;
  algorithm
    d := 2*x*dx + 2*y*dy;
  end circle_der;
  model M
    Real x, y(start = 0.8), v, w;
  equation
    circle(x, y) = 1; // differentiated, since w is the derivative of y
    x = 0.6*cos(time);
    v = der(x);
    w = der(y);
  end M;
end P;
