% START = crank_init(MODEL, ...): consistent initial values from rough ones (as decic finds them).
%
% START has names and values (the columns of results at the start), state (the unknowns), t, consistent (whether the given
% values were), residual and corrected (of the position, velocity and acceleration level, before and after).
% SPDX-License-Identifier: BSD-3-Clause
function start = crank_init(model, varargin)
  start = crank_call('init', model, crank_options(varargin), {});
end
