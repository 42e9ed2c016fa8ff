% The functions of crank in Octave: each test is a function whose name is a sentence; the rest is what they share.
% Run in the project's folder, with build/octave on the path; CRANK names the command.
% SPDX-License-Identifier: BSD-3-Clause
1;

function check(condition, what)
  if ~condition
    error('test:failed', '%s', what);
  end
end

% the error's identifier and message of a call that must fail
function [id, text] = failure(call)
  id = '';
  text = '';
  try
    call();
  catch err
    id = err.identifier;
    text = err.message;
  end
end

function results_are_those_of_the_command_bit_for_bit()
  models = {'pendulum/pendulum', 'four-bar/four-bar', 'bouncing-ball/bouncing-ball', 'circuits/index1', ...
            'spinning-top/spinning-top', 'rolling-disc/rolling-disc'};
  for i = 1:numel(models)
    file = ['models/', models{i}, '.yaml'];
    name = [tempname(), '.csv'];
    [status, out] = system([getenv('CRANK'), ' run ', file, ' --t-end 0.2 --quiet --out ', name, ' 2>&1']);
    check(status == 0, out);
    theirs = dlmread(name, ',', 1, 0);
    delete(name);
    ours = crank_run(file, 't_end', 0.2);
    columns = size(ours.values, 2); % files have step.* and residual.*, too
    check(isequal(ours.values, theirs(:, 1:columns)), [file, ': other numbers']);
    check(isequal(ours.t, theirs(:, 1)), 'times');
  end
end

function parameters_start_values_and_options_are_taken_by_name()
  m = crank_model('models/pendulum/pendulum.yaml', 'set', struct('grav', 9.81));
  check(isfield(m.information.parameters, 'grav') && m.information.parameters.grav == 9.81, 'grav');
  a = crank_run(m, 't_end', 1, 'rtol', 1e-8, 'method', 'psf-radau');
  b = crank_run('models/pendulum/pendulum.yaml', 't_end', 1, 'rtol', 1e-8, 'method', 'psf-radau', ...
                'set', {'grav', 9.81});
  c = crank_run('models/pendulum/pendulum.yaml', 't_end', 1, 'rtol', 1e-8, 'method', 'psf-radau');
  check(isequal(a.values, b.values), 'two ways to set');
  check(~isequal(a.values, c.values), 'set without effect');
  check(a.statistics.steps > 0 && strcmp(a.method, 'psf-radau'), 'statistics');
end

function functions_of_the_caller_give_the_pendulum_of_the_model_file()
  e.f = @(t, p, v) [0; -13.75];
  e.g = @(t, p) p' * p - 1;
  e.G = @(t, p) 2 * p';
  tol = 1e-8;
  times = linspace(0, 0.25, 5);
  [t, y] = crank_solve(e, times, [1; 0; 0; 0], odeset('RelTol', tol, 'AbsTol', tol));
  m = crank_run('models/pendulum/pendulum.yaml', 'times', times', 't_end', 0.25, 'set', {'x', 1; 'y', 0; 'vx', 0}, ...
                'rtol', tol, 'atol', tol);
  check(isequal(t, times'), 'times');
  check(max(abs(y(:, 1) - m.values(:, crank_column(m, 'x')))) < 1000 * tol, 'motion');
  check(max(abs(y(:, 1) .^ 2 + y(:, 2) .^ 2 - 1)) < 1e-12, 'constraint');
  sol = crank_solve(rmfield(e, 'G'), times, [1; 0; 0; 0], odeset('RelTol', tol, 'AbsTol', tol));
  check(max(max(abs(sol.y' - y))) < 1000 * tol, 'G by differences');
  check(abs(crank_deval(sol, times(3), 2) - sol.y(2, 3)) < 10 * tol, 'crank_deval at a row');
end

function events_of_a_model_have_times_and_numbers()
  [t, y, te, ye, ie] = crank_solve('models/bouncing-ball/bouncing-ball.yaml', [0 2], []);
  check(numel(te) >= 2 && all(ie == 1) && size(ye, 1) == numel(te), 'impacts');
  check(size(y, 1) == numel(t) && all(diff(t) >= 0), 'rows');
end

function [value, terminal, direction] = highest(t, y, last)
  value = y(2);
  terminal = last;
  direction = -1;
end

function events_of_the_caller_are_found_in_models_and_functions()
  ball = 'models/bouncing-ball/bouncing-ball.yaml'; % floor at 0.5, 1.3, 1.94 s, highest at 0.9, 1.62, 2.196 s
  [t, y, te, ye, ie] = crank_solve(ball, [0 2.3], [], odeset('Events', @(t, y) highest(t, y, false)));
  check(max(abs(te(ie == 1) - [0.9; 1.62; 2.196])) < 1e-7 && sum(ie == 2) == 3, 'of a model');
  check(all(abs(ye(ie == 1, 2)) < 1e-6) && t(end) == 2.3, 'rows of events');
  [t, y, te] = crank_solve(ball, 0:0.25:2.25, [], odeset('Events', @(t, y) highest(t, y, true)));
  check(abs(t(end) - 0.9) < 1e-7 && t(end) == te(end) && numel(t) == 5, 'the run ends there');
  e.f = @(t, p, v) -p;
  [t, y, te, ye, ie] = crank_solve(e, [0 10], [1; 0], odeset('RelTol', 1e-9, 'AbsTol', 1e-9, 'Events', ...
                                                             @(t, y) deal([y(1); y(2)], [0; 0], [0; 1])));
  check(max(abs(te(ie == 1) - pi * [0.5; 1.5; 2.5])) < 1e-6 && max(abs(te(ie == 2) - pi * [1; 3])) < 1e-6, 'of functions');
  check(max(abs(ye(ie == 2, 1) - [-1; -1])) < 1e-6, 'rows of functions');
  [id, text] = failure(@() crank_solve(e, [0 1], [1; 0], odeset('Events', @(t, y) error('mine:event', 'no'))));
  check(strcmp(id, 'mine:event'), [id, ' ', text]);
  [id, text] = failure(@() crank_solve(e, [0 1], [1; 0], odeset('Events', @(t, y) deal(zeros(1 + (t > 0.1), 1) + 1, 0, 0))));
  check(strcmp(id, 'crank:ESTOP_EQUATIONS') && ~isempty(strfind(text, 'returned 2 real numbers where 1')), [id, ' ', text]);
  [id, text] = failure(@() crank_solve(e, [0 1], [1; 0], odeset('Events', @(t, y) deal(1, [0 0], 0))));
  check(strcmp(id, 'crank:EARG'), [id, ' ', text]);
end

function functions_of_t_and_y_are_solved_with_mass_and_jacobian()
  tol = odeset('RelTol', 1e-9, 'AbsTol', 1e-9);
  % an oscillator, there and back, with a vector of tolerances
  [t, y] = crank_solve(@(t, y) [y(2); -y(1)], linspace(0, 5, 6), [0; 1], odeset(tol, 'AbsTol', [1e-9; 1e-10]));
  check(max(max(abs(y - [sin(t), cos(t)]))) < 1e-6 && isequal(t', 0:5), 'oscillator');
  [t, y] = crank_solve(@(t, y) [y(2); -y(1)], [5 0], [sin(5); cos(5)], tol);
  check(t(1) == 5 && t(end) == 0 && max(abs(y(end, :) - [0, 1])) < 1e-6, 'backwards');
  % Robertson's reaction with its sum as a constraint: index 1, Mass, Jacobian
  f = @(t, y) [-0.04 * y(1) + 1e4 * y(2) * y(3); 0.04 * y(1) - 1e4 * y(2) * y(3) - 3e7 * y(2) ^ 2; sum(y) - 1];
  J = @(t, y) sparse([-0.04, 1e4 * y(3), 1e4 * y(2); 0.04, -1e4 * y(3) - 6e7 * y(2), -1e4 * y(2); 1, 1, 1]);
  o = odeset('RelTol', 1e-7, 'AbsTol', [1e-8 1e-12 1e-8], 'Mass', diag([1 1 0]));
  a = crank_solve(f, [0 1e4], [1; 0; 0], odeset(o, 'Jacobian', J));
  b = crank_solve(f, [0 1e4], [1; 0; 0], o);
  g = @(t, y) [f(t, y)(1:2); 3e7 * y(2) ^ 2];
  lsode_options('relative tolerance', 1e-9);
  lsode_options('absolute tolerance', 1e-14);
  theirs = lsode(@(y, t) g(t, y), [1; 0; 0], [0 1e4]);
  check(a.index == 1 && a.consistent && max(abs(a.y(:, end) - b.y(:, end))) < 1e-6, 'with and without Jacobian');
  check(max(abs(a.y(:, end)' - theirs(end, :))) < 1e-5, 'as lsode solves it');
  % mass matrices that vary: (1 + t) y' = -y, y = 1/(1 + t); of y: (1 + y^2) y' = -(1 + y^2) y
  [t, y] = crank_solve(@(t, y) -y, [0 1], 1, odeset(tol, 'Mass', @(t) 1 + t, 'MStateDependence', 'none'));
  check(max(abs(y - 1 ./ (1 + t))) < 1e-7, 'M(t)');
  [t, y] = crank_solve(@(t, y) -(1 + y ^ 2) * y, [0 1], 1, odeset(tol, 'Mass', @(t, y) 1 + y ^ 2));
  check(max(abs(y - exp(-t))) < 1e-7, 'M(t, y)');
  % a pendulum of index 3: the start's multiplier is found
  p = @(t, y) [y(3); y(4); -y(5) * y(1); -y(5) * y(2) - 10; y(1) ^ 2 + y(2) ^ 2 - 1];
  s = crank_solve(p, [0 0.3], [0.6; -0.8; 0; 0; 0], odeset('RelTol', 1e-8, 'AbsTol', 1e-8, 'Mass', diag([1 1 1 1 0])));
  check(s.index == 3 && ~s.consistent && abs(s.y(5, 1) - 8) < 1e-6, 'pendulum');
  check(max(abs(s.y(3, :) .^ 2 + s.y(4, :) .^ 2 + 20 * s.y(2, :) + 16)) < 1e-4, 'its energy');
  % events and longest steps
  [t, ~, te, ~, ie] = crank_solve(@(t, y) [y(2); -y(1)], [0 10], [0; 1], ...
                                  odeset(tol, 'MaxStep', 0.05, 'InitialStep', 0.01, 'Events', @(t, y) deal(y(1), 1, -1)));
  check(abs(te - pi) < 1e-7 && t(end) == te && isequal(ie, 1) && max(diff(t)) <= 0.05 * (1 + 1e-12), 'event, MaxStep');
  check(abs(t(2) - 0.01) < 1e-12, 'InitialStep');
end

function options_that_say_nothing_are_refused_by_name()
  m = 'models/pendulum/pendulum.yaml';
  wrong = {'t_end', 'x'; 't_end', NaN; 't_end', [1 2]; 'points', 0; 'points', 2.5; 'every', -1; 'times', {1, 2}; 'times', 'ab'; ...
           'method', 3; 'out', 1; 'set', 3; 'set', {'L'}; 'at', 3; 'steps', 'yes'};
  for i = 1:size(wrong, 1)
    [id, text] = failure(@() crank_run(m, wrong{i, :}));
    check(strcmp(id, 'crank:EARG') && ~isempty(strfind(text, wrong{i, 1})), [wrong{i, 1}, ': ', id, ' ', text]);
  end
  [id, text] = failure(@() crank_run(m, 'points', 3, 'every', 1));
  check(strcmp(id, 'crank:EARG') && ~isempty(strfind(text, 'exclude each other')), text);
  [id, text] = failure(@() crank_linearize(m, 'outputs', 'nowhere'));
  check(~isempty(strfind(text, 'nowhere')), text);
  [~, text] = failure(@() crank_linearize(m, 'outputs', {1}));
  check(~isempty(strfind(text, 'outputs are names')), text);
  [~, text] = failure(@() crank_solve(@(t, y) y, [0 1], 1, 3));
  check(~isempty(strfind(text, 'odeset')), text);
  [~, text] = failure(@() crank_solve(struct('g', @(t, p) p), [0 1], [1; 0]));
  check(~isempty(strfind(text, 'a struct with f')), text);
  [~, text] = failure(@() crank_solve(@(t, y) y, [0 1], 1, odeset('RelTol', -1)));
  check(strncmp(text, 'rtol', 4), text);
  [~, text] = failure(@() crank_run('nofile.yaml'));
  check(numel(strfind(text, 'nofile.yaml')) == 1, text);
  check(numel(crank_run(m, 'times', single([0 0.1]), 't_end', int32(1)).t) >= 2, 'other kinds of numbers');
end

function crank_deval_is_as_accurate_as_the_rows()
  tol = odeset('RelTol', 1e-8, 'AbsTol', 1e-8);
  times = linspace(0, 0.2, 21);
  e.f = @(t, p, v) [0; -9.81];
  e.g = @(t, p) p' * p - 1;
  e.G = @(t, p) 2 * p';
  models = {'models/pendulum/pendulum.yaml', 'models/slider-crank/slider-crank.yaml', e, @(t, y) [y(2); -sin(y(1))]};
  starts = {[], [], [0.6; -0.8; 0; 0], [1; 0]};
  for i = 1:numel(models)
    sol = crank_solve(models{i}, [0 0.2], starts{i}, tol);
    [~, y] = crank_solve(models{i}, times, starts{i}, tol);
    d = max(abs(crank_deval(sol, times)' - y)) ./ (1 + max(abs(y)));
    check(max(d) < 2e-7, sprintf('model %d: %g', i, max(d)));
    check(isequal(crank_deval(sol, sol.x(3), 2), sol.y(2, 3)), 'at a row');
    check(isequal(size(crank_deval(sol, times, [2 1])), [2 21]), 'shape');
  end
  % four bars lie level at t = 0.7143, where forces have a pole: only pieces of that step around it are off
  sol = crank_solve('models/four-bar/four-bar.yaml', [0 1], [], tol);
  times = [0.6:0.005:0.71, 0.72:0.005:0.8];
  [~, y] = crank_solve('models/four-bar/four-bar.yaml', [0, times, 1], [], tol);
  own = crank_deval(sol, times)';
  d = max(abs(own - y(2:end - 1, :))) ./ (1 + max(abs(y)));
  check(max(d) < 1e-6, sprintf('beside a singular position: %g', max(d)));
  % a ball: between impacts a parabola, whose speed jumps
  sol = crank_solve('models/bouncing-ball/bouncing-ball.yaml', [0 1], [], tol);
  y = crank_deval(sol, [0.5 - 1e-9, 0.5 + 1e-9], 2); % the speed before and after the impact at 0.5 s
  check(y(1) < -4 && y(2) > 3, sprintf('impact %g %g', y));
  [id, text] = failure(@() crank_deval(sol, 1.5));
  check(strcmp(id, 'crank:EARG') && ~isempty(strfind(text, 'between 0 and 1')), [id, ' ', text]);
  [id, text] = failure(@() crank_deval(struct('x', 1), 1));
  check(strcmp(id, 'crank:EARG'), [id, ' ', text]);
end

function the_output_function_sees_rows_and_can_stop()
  seen = crank_solve('models/pendulum/pendulum.yaml', 0:0.1:1, [], struct('OutputFcn', @(t, y, flag) false));
  check(numel(seen.x) == 11, 'rows');
  seen = crank_solve('models/pendulum/pendulum.yaml', 0:0.1:1, [], ...
                     struct('OutputFcn', @(t, y, flag) strcmp(flag, '') && t > 0.45));
  check(numel(seen.x) == 6 && abs(seen.x(end) - 0.5) < 1e-12, 'stopped');
  [id, text] = failure(@() crank_solve('models/pendulum/pendulum.yaml', [0 1], [], ...
                                       struct('OutputFcn', @(t, y, flag) error('mine:output', 'no'))));
  check(strcmp(id, 'mine:output'), [id, ' ', text]);
end

function errors_of_functions_come_back_as_themselves_and_leave_all_usable()
  e.f = @(t, p, v) error('mine:own', 'my own mistake');
  for i = 1:3
    [id, text] = failure(@() crank_solve(e, [0 1], [1; 0]));
    check(strcmp(id, 'mine:own') && ~isempty(strfind(text, 'my own mistake')), [id, ' ', text]);
  end
  for i = 1:2 % in all other functions
    [id, text] = failure(@() crank_solve(@(t, y) y, [0 1], 1, odeset('Mass', @(t, y) error('mine:mass', 'no'))));
    check(strcmp(id, 'mine:mass'), [id, ' ', text]);
    [id, text] = failure(@() crank_solve(@(t, y) y, [0 1], 1, struct('Jacobian', @(t, y) error('mine:jacobian', 'no'), ...
                                                                     'Method', 'index3-radau')));
    check(strcmp(id, 'mine:jacobian'), [id, ' ', text]);
  end
  [id, text] = failure(@() crank_solve(@(t, y) [1; 2], [0 1], 1));
  check(~isempty(strfind(text, 'the function returned 2 real numbers where 1')), [id, ' ', text]);
  [id, text] = failure(@() crank_solve(@(t, y) y, [0 1], 1, odeset('Mass', eye(2))));
  check(strcmp(id, 'crank:EARG') && ~isempty(strfind(text, 'Mass is 2 by 2')), [id, ' ', text]);
  [id, text] = failure(@() crank_solve(@(t, y) y, [0 1], 1, odeset('AbsTol', [1 2])));
  check(strcmp(id, 'crank:EARG') && ~isempty(strfind(text, 'AbsTol')), [id, ' ', text]);
  [id, text] = failure(@() crank_solve(@(t, y) y, [0 1]));
  check(strcmp(id, 'crank:EARG') && ~isempty(strfind(text, 'start values')), [id, ' ', text]);
  e.f = @(t, p, v) [1; 2; 3];
  [id, text] = failure(@() crank_solve(e, [0 1], [1; 0]));
  check(strcmp(id, 'crank:ESTOP_EQUATIONS') && ~isempty(strfind(text, '3 real numbers where 1')), ['wrong size: ', id, ' ', text]);
  results_are_right_afterwards();
end

function results_are_right_afterwards()
  r = crank_run('models/pendulum/pendulum.yaml', 't_end', 0.1);
  check(r.t(end) == 0.1, 'end');
end

function mistakes_are_named()
  [id, text] = failure(@() crank_run('models/pendulum/pendulum.yaml', 'set', struct('grvt', 1)));
  check(strncmp(id, 'crank:', 6) && ~isempty(strfind(text, 'grvt')), [id, ' ', text]);
  [id, text] = failure(@() crank_run('nowhere.yaml'));
  check(strcmp(id, 'crank:EFILE') && ~isempty(strfind(text, 'nowhere.yaml')), [id, ' ', text]);
  [id, text] = failure(@() crank_run('models/pendulum/pendulum.yaml', 'rtoll', 1));
  check(strcmp(id, 'crank:EARG') && ~isempty(strfind(text, 'rtoll')), [id, ' ', text]);
  [id, text] = failure(@() crank_solve('models/pendulum/pendulum.yaml', [1 2], []));
  check(strcmp(id, 'crank:EARG') && ~isempty(strfind(text, 'starts at t = 0')), [id, ' ', text]);
  [id, text] = failure(@() crank_solve('models/pendulum/pendulum.yaml', [0 1], [], odeset('Mass', 1)));
  check(strcmp(id, 'crank:EARG') && ~isempty(strfind(text, 'Mass')), [id, ' ', text]);
  for bad = {'Refine', 'NonNegative', 'MassSingular'}
    [id, text] = failure(@() crank_solve('models/pendulum/pendulum.yaml', [0 1], [], struct(bad{1}, 1)));
    check(strcmp(id, 'crank:EARG') && ~isempty(strfind(text, bad{1})), [id, ' ', text]);
  end
  [id, text] = failure(@() crank_run(7));
  check(strcmp(id, 'crank:EARG'), [id, ' ', text]);
end

function check_init_equilibrium_and_linearize_answer_as_the_command_does()
  r = crank_check('models/door-three-hinges/door-three-hinges.yaml');
  check(r.freedom_velocity == 1 && ~isempty(r.redundant), 'door');
  s = crank_init('models/pendulum/pendulum.yaml', 'set', struct('x', 0.9));
  check(~s.consistent && all(s.corrected < 1e-12), 'init');
  q = crank_equilibrium('models/quarter-car/quarter-car.yaml');
  check(strcmp(q.stability, 'stable'), q.stability);
  l = crank_linearize('models/quarter-car/quarter-car.yaml', 'equilibrium', true);
  check(norm(sort(abs(eig(l.A))) - sort(abs(l.lambda))) < 1e-8 * norm(l.A), 'eigenvalues');
  check(norm(l.A * l.modes - l.modes * diag(l.lambda)) < 1e-8 * norm(l.A), 'modes');
end

function possible = can_plot()
  possible = true;
  try
    f = figure('visible', 'off');
    axes('parent', f);
    close(f);
  catch
    possible = false;
  end
end

function programs_of_the_manual_run()
  parts = strsplit(fileread('docs/octave.md'), '```')(2:2:end);
  check(numel(parts) == 4, 'programs');
  warning('off', 'all', 'local');
  root = pwd();
  folder = tempname();
  mkdir(folder);
  cd(folder);
  try
    symlink([root, '/models'], 'models');
    set(0, 'defaultfigurevisible', 'off');
    for i = 1:numel(parts)
      if i == 1 && ~can_plot() % no fonts
        parts{i} = regexprep(parts{i}, '\n(plot|legend|xlabel|print)[^\n]*', '');
      end
      evalc(parts{i});
    end
    check(exist('four-bar.h5', 'file') == 2, 'a file');
    check(~can_plot() || exist('four-bar.svg', 'file') == 2, 'a plot');
  catch err
    cd(root);
    rethrow(err);
  end
  cd(root);
  confirm_recursive_rmdir(false, 'local');
  rmdir(folder, 's');
end

function three_hundred_runs_leave_no_memory()
  e.f = @(t, p, v) -p;
  for i = 1:20
    crank_solve(e, [0 0.1], [1; 0]);
    crank_run('models/pendulum/pendulum.yaml', 't_end', 0.01, 'points', 1);
  end
  before = resident();
  for i = 1:150
    crank_solve(e, [0 0.1], [1; 0]);
    crank_run('models/pendulum/pendulum.yaml', 't_end', 0.01, 'points', 1);
  end
  check(resident() - before < 1500, sprintf('%d kB more', resident() - before));
end

function kilobytes = resident()
  text = fileread('/proc/self/status');
  kilobytes = str2double(regexp(text, 'VmRSS:\s*(\d+)', 'tokens'){1}{1});
end

tests = {@results_are_those_of_the_command_bit_for_bit, @parameters_start_values_and_options_are_taken_by_name, ...
         @functions_of_the_caller_give_the_pendulum_of_the_model_file, @events_of_a_model_have_times_and_numbers, ...
         @events_of_the_caller_are_found_in_models_and_functions, ...
         @functions_of_t_and_y_are_solved_with_mass_and_jacobian, @crank_deval_is_as_accurate_as_the_rows, ...
         @options_that_say_nothing_are_refused_by_name, ...
         @the_output_function_sees_rows_and_can_stop, @errors_of_functions_come_back_as_themselves_and_leave_all_usable, ...
         @mistakes_are_named, @check_init_equilibrium_and_linearize_answer_as_the_command_does, ...
         @programs_of_the_manual_run, @three_hundred_runs_leave_no_memory};
failed = 0;
for i = 1:numel(tests)
  name = func2str(tests{i});
  try
    tests{i}();
    printf('ok   %s\n', name);
  catch err
    failed++;
    printf('FAIL %s: %s\n', name, err.message);
  end
end
exit(failed > 0);
