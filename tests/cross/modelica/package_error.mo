// production: an error in a file of a package
// refused: packages/Machine/Parts/Wrong.mo:6:9: "missing" is not declared
// options: --library packages
model M
  Machine.Parts.Wrong wrong;
end M;
