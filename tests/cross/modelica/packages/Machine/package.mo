package Machine "a package of several files"
  constant Real two = 2;
end Machine;
