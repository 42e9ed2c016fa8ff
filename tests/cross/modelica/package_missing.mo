// production: a package that is not found
// refused: there is no class "Nowhere
model M
  Nowhere.Thing x;
end M;
