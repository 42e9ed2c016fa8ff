% REPORT = crank_check(MODEL, ...): degrees of freedom, redundant constraints by name, what is not determined.
%
% REPORT has unknowns, freedom_position, freedom_velocity, redundant, massless and open (cells of sentences), determined,
% contradictory, singular, consistent and loops. The command crank check tells more.
% SPDX-License-Identifier: BSD-3-Clause
function report = crank_check(model, varargin)
  report = crank_call('check', model, crank_options(varargin), {});
end
