% [T, Y, TE, YE, IE] = crank_solve(MODEL, TSPAN, Y0, OPTIONS) with the looks of ode15s, of a model file or of functions. One
% result: a struct for crank_deval.
%
%     [t, y] = crank_solve('models/pendulum/pendulum.yaml', [0 10], [], odeset('RelTol', 1e-8));        a model file
%
%     [t, y] = crank_solve(@(t, y) [y(2); -y(1)], [0 10], [0; 1]);                                      y' = f(t, y)
%     f = @(t, y) [-y(1) + y(2); y(1) + y(2) - 1];                                                      M y' = f(t, y),
%     [t, y] = crank_solve(f, [0 10], [1; 0], odeset('Mass', diag([1 0])));                             M may be singular
%
%     e.M = @(t, p, v) eye(2);   e.f = @(t, p, v) [0; -9.81];      M v' = f - G' lambda,  p' = v
%     e.g = @(t, p) p' * p - 1;  e.G = @(t, p) 2 * p';             0 = g(t, p); G = dg/dp, by differences if left out
%     [t, y] = crank_solve(e, [0 10], [1; 0; 0; 0]);               y = [p v]; the start is made consistent
%
% TSPAN: [start end]: rows at steps; more times: rows there. Functions f(t, y) may go backwards.
% OPTIONS of odeset: RelTol, AbsTol, MaxStep, InitialStep, OutputFcn, Events; for f(t, y) Mass (a matrix, or M(t, y); M(t) with
% MStateDependence 'none') and Jacobian (a matrix, or J(t, y)). Further fields are crank's: Method, and the options of the methods.
% DAEs have index 1 to 3, which is found (sol.index), as are consistent start values near Y0 (sol.consistent: they were).
% Y of a model has all its columns (sol.names), of equations of motion sol.lambda has the multipliers.
% Events: [value, isterminal, direction] = f(t, y), zeros to which steps are led; how many, isterminal and direction are asked
% once. TE, YE, IE: times, rows and numbers; events of the model file are counted behind these. An OutputFcn that returns
% true ends the run.
% SPDX-License-Identifier: BSD-3-Clause
function varargout = crank_solve(model, tspan, start, given)
  if nargin < 4
    given = struct();
  end
  if nargin < 3
    start = [];
  end
  handle = isa(model, 'function_handle');
  if isstruct(model) && ~isfield(model, 'file') && ~isfield(model, 'f')
    error('crank:EARG', 'equations of motion are a struct with f, and M, g and G where they have them');
  end
  if ~isstruct(given)
    error('crank:EARG', 'the fourth argument is a struct of options, as odeset makes it');
  end
  sense = 1;
  if isnumeric(tspan) && numel(tspan) > 1 && handle
    sense = sign(tspan(end) - tspan(1));
  end
  if ~isnumeric(tspan) || numel(tspan) < 2 || any(~isfinite(tspan)) || any(sense * diff(tspan) <= 0)
    error('crank:EARG', 'tspan are two or more times, rising (of functions f(t, y) also falling)');
  end
  [options, output, events, mass, jacobian] = take_options(given);
  if ~handle && ~(isempty(mass) && isempty(jacobian))
    error('crank:EARG', 'Mass and Jacobian of odeset belong to functions f(t, y): a model has its own, equations of motion have M');
  end
  if ~handle && isfield(options, 'atol') && ~isscalar(options.atol)
    error('crank:EARG', 'AbsTol of models and equations of motion is one number; atol_p, atol_v, atol_lambda are fields of their own');
  end
  options.t_end = tspan(end);
  options.t_start = tspan(1);
  options.dense = nargout <= 1;
  if numel(tspan) > 2
    options.times = double(tspan(:));
    if sense < 0
      options.times = 2 * tspan(1) - options.times;
    end
  end
  if ~isempty(output)
    options.output = @(t, y, flag) output(t, y, flag);
  end
  if handle
    [options, start] = take_function(options, model, tspan(1), start, mass, jacobian);
    model = struct('file', '');
  elseif isstruct(model) && isfield(model, 'f')
    options.equations = take_equations(model, tspan(1), start);
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
    output(tspan(:), double(start(:)), 'init');
  end
  answer = crank_call('solve', model, options, {'times', 'output', 'equations', 't_start', 'dense', 'watch', ...
                                                'watch_direction', 'watch_terminal'});
  if ~isempty(output)
    output([], [], 'done');
  end
  solution = take_solution(answer);
  if nargout <= 1
    varargout = {solution};
  else
    varargout = {solution.x.', solution.y.', solution.xe.', solution.ye.', solution.ie.'};
  end
end

% odeset's names into crank's
function [options, output, events, mass, jacobian] = take_options(given)
  options = struct();
  output = [];
  events = [];
  mass = [];
  jacobian = [];
  dependence = 'weak';
  names = fieldnames(given);
  for i = 1:numel(names)
    value = given.(names{i});
    if isempty(value)
      continue
    end
    switch lower(names{i})
      case 'reltol', options.rtol = value;
      case 'abstol', options.atol = double(value(:));
      case 'maxstep', options.h_max = value;
      case 'initialstep', options.h_start = value;
      case 'outputfcn', output = value;
      case 'events', events = value;
      case 'mass', mass = value;
      case 'mstatedependence', dependence = value;
      case 'jacobian', jacobian = value;
      case 'method', options.method = value;
      case {'jpattern', 'mvpattern', 'masssingular', 'bdf', 'maxorder', 'normcontrol', 'nonnegative', 'outputsel', 'refine', ...
            'stats', 'vectorized', 'initialslope'}
        error('crank:EARG', 'the option %s of odeset is not taken; help crank_solve', names{i});
      otherwise, options.(names{i}) = value;
    end
  end
  if isa(mass, 'function_handle') && strcmpi(dependence, 'none')
    of_time = mass;
    mass = @(t, y) of_time(t);
  end
  if isa(mass, 'function_handle')
    with_any = mass;
    mass = @(t, y) full(with_any(t, y));
  end
  if isa(jacobian, 'function_handle')
    of_any = jacobian;
    jacobian = @(t, y) full(of_any(t, y));
  elseif ~isempty(jacobian)
    constant = double(full(jacobian));
    jacobian = @(t, y) constant;
  end
end

% M(t, y) y' = f(t, y)
function [options, start] = take_function(options, f, t, start, mass, jacobian)
  n = numel(start);
  if n < 1 || ~isnumeric(start) || ~isreal(start)
    error('crank:EARG', 'functions need start values: crank_solve(f, tspan, y0)');
  end
  start = double(start(:));
  if isnumeric(mass) && ~isempty(mass)
    mass = double(full(mass));
    if ~isequal(size(mass), [n n])
      error('crank:EARG', 'Mass is %d by %d, where %d by %d is needed', size(mass), n, n);
    end
  end
  atol = 1e-6 * ones(n, 1);
  if isfield(options, 'atol')
    if ~any(numel(options.atol) == [1 n])
      error('crank:EARG', 'AbsTol has %d numbers, where 1 or %d are needed', numel(options.atol), n);
    end
    atol = options.atol(:) .* ones(n, 1);
    options = rmfield(options, 'atol');
  end
  options.equations = struct('y', start, 'f', f, 'atol', atol);
  if ~isempty(mass)
    options.equations.M = mass;
  end
  if ~isempty(jacobian)
    options.equations.G = jacobian;
  end
  if isfield(options, 'rtol')
    options.equations.rtol = options.rtol;
    options = rmfield(options, 'rtol');
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

% p' = v, M v' = f - G' lambda, 0 = g
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

% rows and points have t, the values (of equations of motion p, v, lambda) and the number of an event
function s = take_solution(answer)
  m = answer.constraints;
  own = 2:size(answer.rows, 2) - 1 - m;
  s = struct('solver', ['crank ', answer.method], 'x', answer.rows(:, 1).', 'y', answer.rows(:, own).', ...
             'names', {answer.names(own - 1)});
  if m > 0
    s.lambda = answer.rows(:, end - m:end - 1).';
  end
  s.xe = answer.events(:, 1).';
  s.ye = answer.events(:, own).';
  s.ie = answer.events(:, end).';
  if isfield(answer, 'index')
    s.index = answer.index;
    s.consistent = answer.consistent;
  end
  steps = size(answer.between, 1) / answer.points;
  s.idata = struct('times', reshape(answer.between(:, 1), answer.points, steps), ...
                   'values', reshape(answer.between(:, own).', numel(own), answer.points, steps));
end
