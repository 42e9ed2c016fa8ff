% RESULT = crank_run(MODEL, ...): simulates a model; the rows are those that the command crank run writes, bit for bit.
%
%     r = crank_run('models/four-bar/four-bar.yaml', 't_end', 5, 'rtol', 1e-8);
%     plot(r.t, r.values(:, crank_column(r, 'B1.x')))
%
% Options: method, t_end, set (struct, or cell {'body.rod.x', 1; ...}), every, points, times or steps (which rows), out (a
% file that is written, too), from and at (a result and the time of the row at which the run begins), model and library
% (Modelica), compile, and the options of the methods: rtol, atol, coordinates, ... (crank options lists them).
% RESULT has t, names, units, values (rows by columns), method, stopped (by an event) and statistics.
% SPDX-License-Identifier: BSD-3-Clause
function result = crank_run(model, varargin)
  result = crank_call('run', model, crank_options(varargin), {'every', 'points', 'times', 'steps', 'out'});
  result.t = result.values(:, 1);
end
