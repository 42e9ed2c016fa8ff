% ANSWER = crank_call(COMMAND, MODEL, OPTIONS): what all functions of crank do: makes a request of a model and options,
% asks the library, warns and throws as it says. For internal use; see crank_run.
% SPDX-License-Identifier: BSD-3-Clause
function answer = crank_call(command, model, options, known)
  own = {'set', 'method', 't_end', 'model', 'library', 'compile', 'from', 'at'};
  request = struct();
  set = cell(0, 2);
  if isstruct(model)
    if ~isfield(model, 'file')
      error('crank:EARG', 'a model is the name of its file, or what crank_model returned');
    end
    request = rmfield(model, intersect(fieldnames(model), {'set', 'information'}));
    if isfield(model, 'set')
      set = crank_texts(model.set);
    end
  elseif ischar(model)
    request.file = model;
  else
    error('crank:EARG', 'a model is the name of its file, or what crank_model returned');
  end
  method_options = cell(0, 2);
  names = fieldnames(options);
  for i = 1:numel(names)
    value = options.(names{i});
    if strcmp(names{i}, 'set')
      set = [set; crank_texts(value)];
    elseif any(strcmp(names{i}, [own, known]))
      request.(names{i}) = crank_value(names{i}, value);
    else % an option of the method: rtol, atol, coordinates, ...
      method_options(end + 1, :) = {names{i}, crank_text(value)};
    end
  end
  given = @(name) isfield(request, name) && ~isempty(request.(name));
  if given('every') + given('points') + given('times') + (given('steps') && request.steps) > 1
    error('crank:EARG', 'every, points, times and steps exclude each other');
  end
  if given('at') && ~given('from')
    error('crank:EARG', 'at belongs to from: a result, and the time of its row');
  end
  request.set = set;
  request.options = method_options;
  answer = crank_mex(command, request);
  for i = 1:numel(answer.warnings)
    warning('crank:warning', '%s', answer.warnings{i});
  end
  if isfield(answer, 'thrown')
    rethrow(answer.thrown);
  end
  if isfield(answer, 'error')
    crank_throw(request, answer.error);
  end
  answer = rmfield(answer, 'warnings');
end

function crank_throw(request, what)
  place = '';
  if isfield(request, 'file') && ~isempty(request.file)
    place = [request.file, ': '];
  end
  if ~isempty(what.file)
    place = [what.file, ': '];
  end
  if ~isempty(place) && strncmp(what.text, place, numel(place))
    place = '';
  end
  if what.line > 0
    place = sprintf('%s%d:%d: ', strrep(place, ': ', ':'), what.line, what.column);
  end
  error(['crank:', what.status], '%s%s', place, what.text);
end

% an option of crank's own as the library takes it; [] stands for none
function value = crank_value(name, value)
  number = isnumeric(value) && isscalar(value) && isreal(value) && isfinite(value);
  if isempty(value)
    return
  end
  switch name
    case {'method', 'model', 'library', 'from', 'out'}
      if ~ischar(value)
        error('crank:EARG', '%s is a text', name);
      end
    case {'t_end', 'at', 'every', 'points'}
      if ~number || (any(strcmp(name, {'every', 'points'})) && value <= 0) || (strcmp(name, 'points') && value ~= round(value))
        kinds = struct('t_end', 'a finite number', 'at', 'a finite number', 'every', 'a positive number', ...
                       'points', 'a whole number, at least 1');
        error('crank:EARG', '%s is %s', name, kinds.(name));
      end
      value = double(value);
    case {'compile', 'steps', 'equilibrium'}
      if ~number && ~(islogical(value) && isscalar(value))
        error('crank:EARG', '%s is true or false', name);
      end
      value = double(value);
    case 'times'
      if ~isnumeric(value) || ~isreal(value)
        error('crank:EARG', 'times are a vector of numbers');
      end
      value = full(double(value(:)));
    case {'inputs', 'outputs'}
      if ischar(value)
        value = {value};
      end
      if ~iscellstr(value)
        error('crank:EARG', '%s are names: a text, or a cell of texts', name);
      end
  end
end

% settings as names and texts: of a struct, or of a cell {'body.rod.x', 1; ...} where names have dots
function list = crank_texts(value)
  if isstruct(value)
    value = [fieldnames(value), struct2cell(value)];
  elseif iscell(value) && size(value, 2) ~= 2 && mod(numel(value), 2) == 0
    value = reshape(value, 2, [])';
  end
  if ~iscell(value) || (~isempty(value) && (size(value, 2) ~= 2 || ~iscellstr(value(:, 1))))
    error('crank:EARG', 'set is a struct, or a cell of names and values: {''body.rod.x'', 0.1; ''mass'', 2}');
  end
  list = cell(size(value, 1), 2);
  for i = 1:size(value, 1)
    list(i, :) = {value{i, 1}, crank_text(value{i, 2})};
  end
end

function text = crank_text(value)
  if ischar(value)
    text = value;
  elseif islogical(value) && isscalar(value)
    words = {'false', 'true'};
    text = words{value + 1};
  elseif isscalar(value) && isreal(value)
    text = sprintf('%.17g', value);
  elseif isnumeric(value) && isreal(value)
    text = ['[', strjoin(arrayfun(@(x) sprintf('%.17g', x), value(:)', 'UniformOutput', false), ', '), ']'];
  else
    error('crank:EARG', 'a value is a number, a text or true and false');
  end
end
