% [VALUE, FAILURE] = crank_guard(FUNCTION, ...): calls a function of the user; what it throws is returned, not thrown, since C
% code stands above. For internal use; see crank_solve.
% SPDX-License-Identifier: BSD-3-Clause
function [value, failure] = crank_guard(called, varargin)
  failure = [];
  try
    value = called(varargin{:});
    if issparse(value)
      value = full(value);
    end
  catch failure
    value = [];
  end
end
