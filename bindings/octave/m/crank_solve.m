% [T, Y, TE, YE, IE] = crank_solve(MODEL, TSPAN, [], OPTIONS) with the looks of ode15s, of a model file or of equations of
% motion in functions. One result: a struct for crank_deval.
%
%     [t, y] = crank_solve('models/pendulum/pendulum.yaml', [0 10], [], odeset('RelTol', 1e-8));
%
%     e.M = @(t, p, v) eye(2);   e.f = @(t, p, v) [0; -9.81];      M v' = f - G' lambda,  p' = v
%     e.g = @(t, p) p' * p - 1;  e.G = @(t, p) 2 * p';             0 = g(t, p); G = dg/dp, by differences if left out
%     [t, y] = crank_solve(e, [0 10], [1; 0; 0; 0]);               y = [p v]; the start is made consistent
%
% TSPAN: [start end]: rows at steps; more times: rows there. OPTIONS of odeset: RelTol, AbsTol, MaxStep, InitialStep,
% OutputFcn, Events; further fields are crank's: Method (default auto), and the options of the methods. Y of a model has all
% its columns (sol.names). Events: [value, isterminal, direction] = f(t, y), zeros to which steps are led; how many, isterminal
% and direction are asked once. te, ye, ie: times, rows and numbers; events of the model file are counted behind these. M is
% a matrix or a function. Mass and Jacobian of odeset are refused: equations of motion have M, a model file has its own.
% SPDX-License-Identifier: BSD-3-Clause
function varargout = crank_solve(model, tspan, start, given)
  if nargin < 4
    given = struct();
  end
  if nargin < 3
    start = [];
  end
  if ~isnumeric(tspan) || numel(tspan) < 2 || any(~isfinite(tspan)) || any(diff(tspan) <= 0)
    error('crank:EARG', 'tspan are two or more times, rising');
  end
  [options, output, events] = take_options(given);
  options.t_end = tspan(end);
  if numel(tspan) > 2
    options.times = double(tspan(:));
  end
  if ~isempty(output)
    options.output = @(t, y, flag) output(t, y, flag);
  end
  if isstruct(model) && isfield(model, 'f')
    options.equations = take_equations(model, tspan(1), start);
    options.t_start = tspan(1);
    if ~isfield(options, 'method')
      options.method = 'auto';
    end
    model = struct('file', '');
  elseif ~isempty(start)
    error('crank:EARG', 'a model file has its own start: give [] and change it by crank_model(FILE, ''set'', ...)');
  else
    information = crank_model(model);
    if information.information.t_start ~= tspan(1)
      error('crank:EARG', 'the model starts at t = %g, not at %g', information.information.t_start, tspan(1));
    end
  end
  if ~isempty(events)
    options = take_events(options, events, model, tspan(1), start);
  end
  if ~isempty(output)
    output(tspan(:), [], 'init');
  end
  answer = crank_call('solve', model, options, {'times', 'output', 'equations', 't_start', 'watch', 'watch_direction', 'watch_terminal'});
  if ~isempty(output)
    output([], [], 'done');
  end
  solution = take_solution(answer, isfield(options, 'equations'));
  if nargout <= 1
    varargout = {solution};
  else
    varargout = {solution.x.', solution.y.', solution.xe.', solution.ye.', solution.ie.'};
  end
end

% odeset's names into crank's
function [options, output, events] = take_options(given)
  options = struct();
  output = [];
  events = [];
  names = fieldnames(given);
  for i = 1:numel(names)
    value = given.(names{i});
    if isempty(value)
      continue
    end
    switch lower(names{i})
      case 'reltol', options.rtol = value;
      case 'abstol'
        if ~isscalar(value)
          error('crank:EARG', 'AbsTol is one number; atol_p, atol_v, atol_lambda are fields of their own');
        end
        options.atol = value;
      case 'maxstep', options.max_step = value;
      case 'initialstep', options.initial_step = value;
      case 'outputfcn', output = value;
      case 'events', events = value;
      case 'method', options.method = value;
      case {'mass', 'jacobian', 'jpattern', 'mvpattern', 'massSingular', 'bdf', 'maxorder', 'normcontrol', ...
            'nonnegative', 'outputsel', 'refine', 'stats', 'vectorized', 'initialslope', 'mstatedependence', ...
            'masssingular'}
        error('crank:EARG', 'the option %s of odeset is not taken; help crank_solve', names{i});
      otherwise, options.(names{i}) = value;
    end
  end
end

% [value, isterminal, direction] = events(t, y): how many there are, which end the run and in which direction they count is
% asked once, at the start
function options = take_events(options, events, model, t, start)
  if isfield(options, 'equations')
    y = double(start(:));
  else
    y = crank_init(model).values(:);
  end
  [value, terminal, direction] = events(t, y);
  count = numel(value);
  if count < 1 || numel(terminal) ~= count || ~any(numel(direction) == [0, count])
    error('crank:EARG', 'the event function returned %d values, %d of isterminal and %d of direction', count, ...
          numel(terminal), numel(direction));
  end
  if isempty(direction)
    direction = zeros(count, 1);
  end
  options.watch = @(t, y) value_of(events, t, y);
  options.watch_terminal = double(terminal(:));
  options.watch_direction = double(direction(:));
end

function value = value_of(events, t, y)
  [value, ~, ~] = events(t, y); % functions may want to be asked for all
end

function e = take_equations(model, t, start)
  n = numel(start) / 2;
  if n < 1 || n ~= round(n)
    error('crank:EARG', 'the start of equations of motion is [p; v]');
  end
  names = fieldnames(model);
  for i = 1:numel(names)
    if ~any(strcmp(names{i}, {'M', 'f', 'g', 'G'}))
      error('crank:EARG', 'equations of motion have M, f, g and G, not %s', names{i});
    end
  end
  e = model;
  e.p = double(start(1:n));
  e.v = double(start(n + 1:end));
  e.constraints = 0;
  if isfield(e, 'M') && isnumeric(e.M)
    e.M = double(full(e.M));
    if ~isequal(size(e.M), [n n])
      error('crank:EARG', 'M is %d by %d, where %d by %d is needed', size(e.M), n, n);
    end
  end
  if isfield(e, 'g')
    e.constraints = numel(e.g(t, e.p(:)));
  end
end

function s = take_solution(answer, equations)
  rows = answer.rows;
  s = struct('solver', ['crank ', answer.method], 'x', rows(:, 1).', 'names', {answer.names});
  events = answer.events;
  if equations % unknowns are lambda, v, p
    m = answer.constraints;
    n = (size(rows, 2) - 1 - m) / 2;
    order = 1 + [m + n + (1:n), m + (1:n)];
    s.lambda = rows(:, 1 + (1:m)).';
    s.y = rows(:, order).';
    s.names = s.names(order - 1);
    s.ye = events(:, order).';
  else
    s.y = rows(:, 2:end).';
    s.ye = events(:, 2:end - 1).';
  end
  s.xe = events(:, 1).';
  s.ie = events(:, end).';
end
