% OPTIONS = crank_options(ARGUMENTS): a struct of name-value pairs, or of one struct. For internal use; see crank_run.
% SPDX-License-Identifier: BSD-3-Clause
function options = crank_options(arguments)
  options = struct();
  if numel(arguments) == 1 && isstruct(arguments{1})
    options = arguments{1};
    return
  end
  if mod(numel(arguments), 2) ~= 0
    error('crank:EARG', 'options come in pairs: a name and its value');
  end
  for i = 1:2:numel(arguments)
    if ~ischar(arguments{i})
      error('crank:EARG', 'the name of an option is a text');
    end
    options.(arguments{i}) = arguments{i + 1};
  end
end
