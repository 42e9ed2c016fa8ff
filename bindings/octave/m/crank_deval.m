% Y = crank_deval(SOL, T, IDX): the solution of crank_solve between its rows (deval's look), columns as T has entries.
%
% Cubic between rows, by the slopes of neighbouring rows: for pictures. For values as accurate as the method give the times
% to crank_solve.
% SPDX-License-Identifier: BSD-3-Clause
function y = crank_deval(sol, t, idx)
  if nargin < 3
    idx = 1:size(sol.y, 1);
  end
  if any(t < sol.x(1)) || any(t > sol.x(end))
    error('crank:EARG', 'times of crank_deval lie between %g and %g', sol.x(1), sol.x(end));
  end
  [x, last] = unique(sol.x, 'last'); % of rows at one time the one after the event
  y = reshape(interp1(x.', sol.y(idx, last).', t(:), 'pchip'), numel(t), numel(idx)).';
end
