% MODEL = crank_model(FILE, ...): a model from a file (mechanism, equations, dae; URDF, MJCF; Modelica).
%
%     m = crank_model('models/four-bar/four-bar.yaml', 'set', struct('N', 2));
%     m.information.columns          names of what results hold
%
% Options: set (struct, or cell {'body.rod.x', 1; ...}: other values of parameters and start values), model (of a Modelica
% file, 'Package.Model'), library, compile. MODEL can be given wherever a file can. information has title, kind, method,
% t_start, t_end, parameters (struct), columns and units.
% SPDX-License-Identifier: BSD-3-Clause
function model = crank_model(file, varargin)
  options = crank_options(varargin);
  answer = crank_call('model', file, options, {});
  model = struct('file', file);
  names = fieldnames(options);
  for i = 1:numel(names)
    model.(names{i}) = options.(names{i});
  end
  parameters = struct();
  for i = 1:numel(answer.parameter_names)
    parameters.(answer.parameter_names{i}) = answer.parameter_values(i);
  end
  answer.parameters = parameters;
  model.information = rmfield(answer, {'parameter_names', 'parameter_values'});
end
