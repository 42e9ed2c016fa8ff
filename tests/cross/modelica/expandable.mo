// production: expandable connector
// refused: expandable connectors: not supported
expandable connector C
end C;
