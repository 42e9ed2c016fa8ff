% J = crank_column(RESULT, NAME): the number of a column by its name; of several names (a cell), their numbers.
% SPDX-License-Identifier: BSD-3-Clause
function j = crank_column(result, name)
  if ~iscell(name)
    name = {name};
  end
  [found, j] = ismember(name, result.names);
  if ~all(found)
    error('crank:EARG', 'no column "%s"; result.names lists them', name{find(~found, 1)});
  end
end
