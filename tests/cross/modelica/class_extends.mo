// production: class extends
// refused: class extends: not supported
package P
  model A
  end A;
end P;
package Q
  extends P;
  model extends A
  end A;
end Q;
