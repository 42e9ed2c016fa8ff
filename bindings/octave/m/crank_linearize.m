% LINEAR = crank_linearize(MODEL, ...): A, B, C, D in independent coordinates, eigenvalues and modes.
%
%     l = crank_linearize('models/bicycle/bicycle.yaml', 'outputs', {'body.frame.y'});
%     sys = ss(l.A, l.B, l.C, l.D);
%
% Options besides those of crank_run: inputs and outputs (cells of names), equilibrium (true: at the rest that the start
% leads to), from and at (a row of a result). LINEAR has A, B, C, D, states, inputs, outputs (names), lambda, frequency (Hz),
% damping, modes (a column each) and steady.
% SPDX-License-Identifier: BSD-3-Clause
function linear = crank_linearize(model, varargin)
  linear = crank_call('linearize', model, crank_options(varargin), {'inputs', 'outputs', 'equilibrium'});
  linear.lambda = complex(linear.real, linear.imag);
  linear.modes = complex(linear.modes(1:2:end, :), linear.modes(2:2:end, :));
  linear = rmfield(linear, {'real', 'imag'});
end
