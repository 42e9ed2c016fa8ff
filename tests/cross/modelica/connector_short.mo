// production: connector C = T
// supported: of a type or a record, with or without input and output: `connector Output = output Motion`
// value: gain.y = 2
// value: sensor.e = 5
package Connectors
  record Motion
    Real x;
    Real v;
  end Motion;
  connector MotionOutput = output Motion;
  connector MotionInput = input Motion;
  connector Signal = Real;
  model Source
    MotionOutput y;
  equation
    y.x = time;
    y.v = 2*time;
  end Source;
  model Sensor
    MotionInput u;
    Real e = u.x^2 + u.v^2;
  end Sensor;
  model Gain
    Signal u, y;
  equation
    y = 2*u;
  end Gain;
  model Test
    Source source;
    Sensor sensor;
    Gain gain;
    Signal s = time;
  equation
    connect(source.y, sensor.u);
    connect(s, gain.u);
  end Test;
end Connectors;
