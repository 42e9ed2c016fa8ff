// production: class extends without redeclare
// refused: class extends without redeclare
package ClassExtendsAlone
  model extends Base
  end Base;
end ClassExtendsAlone;
