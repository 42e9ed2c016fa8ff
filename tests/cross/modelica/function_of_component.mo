// production: functions of components
// supported: `world.gravity(r)` is a function of the class of the component, or what it is redeclared to
// value: v = -20
model World
  parameter Real g = 10;
  replaceable function gravity
    input Real r, g;
    output Real a;
  algorithm
    a := -g;
  end gravity;
end World;
function twice
  input Real r, g;
  output Real a;
algorithm
  a := -2*g;
end twice;
model Body
  outer World world;
  Real v(start = 0, fixed = true);
equation
  der(v) = world.gravity(v, world.g);
end Body;
model M
  inner World world(redeclare function gravity = twice);
  Body body;
  Real v = body.v;
end M;
