// production: packages of several files
// supported: `NAME.mo`, or a folder NAME with package.mo and files or folders, in the order of package.order; looked for in `--library FOLDER`, beside the file, and in crank's own library
// options: --library packages
// value: lever.x = 4
// value: x = 5
model M
  Machine.Lever lever;
  Machine.Parts.Bolt bolt(d = 3);
  Real x = bolt.d + Machine.two;
end M;
