// production: stream
// refused: stream connectors: not supported
connector C
  stream Real h;
end C;
