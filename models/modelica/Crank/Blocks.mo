within Crank;
package Blocks "Signals: u goes in, y comes out"
  connector Input = input Real;
  connector Output = output Real;

  partial block OneToOne
    Input u;
    Output y;
  end OneToOne;

  block Constant
    parameter Real k = 1;
    Output y;
  equation
    y = k;
  end Constant;

  block Step
    parameter Real height = 1, offset = 0;
    parameter Units.Time start = 0;
    Output y;
  equation
    y = offset + (if time < start then 0 else height);
  end Step;

  block Sine
    parameter Real amplitude = 1, offset = 0, phase(unit = "rad") = 0;
    parameter Real f(unit = "Hz") = 1;
    Output y;
  equation
    y = offset + amplitude*sin(2*Constants.pi*f*time + phase);
  end Sine;

  block Gain
    extends OneToOne;
    parameter Real k = 1;
  equation
    y = k*u;
  end Gain;

  block Add
    parameter Real k1 = 1, k2 = 1;
    Input u1, u2;
    Output y;
  equation
    y = k1*u1 + k2*u2;
  end Add;

  block Integrator
    extends OneToOne;
    parameter Real k = 1, start = 0;
    Real x(start = start, fixed = true);
  equation
    der(x) = k*u;
    y = x;
  end Integrator;

  block FirstOrder "T y' + y = k u"
    extends OneToOne;
    parameter Real k = 1, start = 0;
    parameter Units.Time T = 1;
    Real x(start = start, fixed = true);
  equation
    T*der(x) + x = k*u;
    y = x;
  end FirstOrder;

  block SecondOrder "y'' + 2 D w y' + w^2 y = k w^2 u"
    extends OneToOne;
    parameter Real k = 1, w(unit = "rad/s") = 1, D = 1, start = 0;
    Real x(start = start, fixed = true), v(start = 0, fixed = true);
  equation
    der(x) = v;
    der(v) = w^2*(k*u - x) - 2*D*w*v;
    y = x;
  end SecondOrder;

  block PI "y = k (x + u), T x' = u"
    extends OneToOne;
    parameter Real k = 1, start = 0;
    parameter Units.Time T = 1;
    Real x(start = start, fixed = true);
  equation
    T*der(x) = u;
    y = k*(x + u);
  end PI;

  block Limiter
    extends OneToOne;
    parameter Real low = -high, high = 1;
  equation
    y = if u > high then high else if u < low then low else u;
  end Limiter;

  block Hysteresis "on above high, off below low"
    Input u;
    output Boolean y(start = false);
    parameter Real low = 0, high = 1;
  equation
    y = u > high or pre(y) and u >= low;
  end Hysteresis;

  block Sampler "holds u from one tick to the next"
    extends OneToOne;
    parameter Units.Time period, start = 0;
    discrete Real held(start = 0);
  equation
    when sample(start, period) then
      held = u;
    end when;
    y = held;
  end Sampler;

  block PointToPoint "from start to goal, all axes together, with bounds of speed and acceleration"
    parameter Integer n = 1;
    parameter Real start[n], goal[n], speed[n], acceleration[n];
    parameter Units.Time begin = 0;
    parameter Real v = min({speed[i]/abs(goal[i] - start[i]) for i in 1:n}) "of the way's share",
      a = min({acceleration[i]/abs(goal[i] - start[i]) for i in 1:n});
    parameter Boolean peaked = v^2 >= a "v is not reached";
    parameter Real Ta = if peaked then sqrt(1/a) else v/a, Tv = if peaked then Ta else 1/v, T = Tv + Ta,
      top = if peaked then a*Ta else v;
    output Real q[n], qd[n];
    Real t, s, sd;
  equation
    t = time - begin;
    s = if t < 0 then 0 else if t < Ta then a/2*t^2 else if t < Tv then top*(t - Ta/2) else if t < T then 1 - a/2*(T - t)^2 else 1;
    sd = if t < 0 then 0 else if t < Ta then a*t else if t < Tv then top else if t < T then a*(T - t) else 0;
    q = start + (goal - start)*s;
    qd = (goal - start)*sd;
  end PointToPoint;
end Blocks;
