// production: impure function
// refused: impure functions: not supported
impure function f
end f;
