within Crank;
package Thermal "Heat"
  connector Port
    Units.Temperature T;
    flow Units.HeatFlow Q "into the component";
  end Port;

  model Capacity
    Port port;
    parameter Real C(unit = "J/K", min = 0);
    Units.Temperature T;
  equation
    T = port.T;
    C*der(T) = port.Q;
  end Capacity;

  model Conductor
    Port a, b;
    parameter Real G(unit = "W/K", min = 0);
    Units.HeatFlow Q "from a to b";
  equation
    Q = G*(a.T - b.T);
    a.Q = Q;
    b.Q = -Q;
  end Conductor;

  model Temperature "given"
    Port port;
    parameter Units.Temperature T;
  equation
    port.T = T;
  end Temperature;

  model Source "of a signal"
    Port port;
    Blocks.Input Q;
  equation
    port.Q = -Q;
  end Source;
end Thermal;
