within Machine;
package Parts
end Parts;
