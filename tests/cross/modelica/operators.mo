// production: operator record, operator function
// refused: operator records and functions: not supported
operator record C
  Real re;
end C;
