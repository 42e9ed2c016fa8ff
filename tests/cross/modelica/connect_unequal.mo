// production: connect of arrays of other sizes
// refused: connect: 3 connectors and 2, or in other rows
connector In = input Real;
connector Out = output Real;
block Source
  Out y[3];
equation
  y = {1, 2, 3};
end Source;
block Sink
  In u[2];
end Sink;
model M
  Source source;
  Sink sink;
equation
  connect(source.y, sink.u);
end M;
