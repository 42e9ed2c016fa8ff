% Y = crank_deval(SOL, T, IDX): the solution of crank_solve at times T (deval's look), a column each; of all unknowns or IDX alone.
%
%     sol = crank_solve(@(t, y) [y(2); -y(1)], [0 10], [0; 1]);
%     plot(0:0.01:10, crank_deval(sol, 0:0.01:10, 1))
%
% As accurate as the method between the ends of its steps: within a step the polynomial through points that the method gave.
% At an event that changed the state: the values before it. In a singular position that a run passes (singular: pass) forces have a
% pole, which polynomials do not: there, for a hundredth of that step, ask for rows.
% SPDX-License-Identifier: BSD-3-Clause
function y = crank_deval(sol, t, idx)
  if ~isstruct(sol) || ~isfield(sol, 'idata')
    error('crank:EARG', 'the first argument is the struct that crank_solve returns with one result');
  end
  if nargin < 3
    idx = 1:size(sol.y, 1);
  end
  data = sol.idata;
  sense = sign(data.times(end) - data.times(1)) + (numel(data.times) == 0);
  t = double(t(:).');
  if isempty(t) || isempty(data.times)
    y = zeros(numel(idx), numel(t));
    return
  end
  if any(~(sense * t >= sense * data.times(1))) || any(~(sense * t <= sense * data.times(end)))
    error('crank:EARG', 'times of crank_deval lie between %g and %g', data.times(1), data.times(end));
  end
  ends = sense * data.times(end, :);
  y = zeros(numel(idx), numel(t));
  step = arrayfun(@(one) find(ends >= sense * one, 1), t);
  for k = unique(step)
    here = step == k;
    answer = crank_mex('between', struct('times', data.times(:, k), 'values', data.values(idx, :, k), 'at', t(here)));
    y(:, here) = answer.values;
  end
end
