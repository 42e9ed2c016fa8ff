within Machine.Parts;
model Bolt
  parameter Real d = 1;
end Bolt;
