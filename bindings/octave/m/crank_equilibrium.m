% REST = crank_equilibrium(MODEL, ...): where a model rests, and whether that is stable.
%
% REST has names and values (the columns of results there), stability ('stable', 'unstable', 'indifferent', 'not known'),
% direction (of an unstable one), free (what moves freely), smallest, freedom, residual, iterations.
% SPDX-License-Identifier: BSD-3-Clause
function rest = crank_equilibrium(model, varargin)
  rest = crank_call('equilibrium', model, crank_options(varargin), {});
end
