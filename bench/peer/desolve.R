# One problem by RADAU5 or DASPK of R's package deSolve, with compiled model and Jacobian (desolve.c):
#
#     Rscript desolve.R LIBRARY PROBLEM SIZE METHOD RTOL REPEAT REFERENCE
#
# METHOD: radau5-reduced (index-1 reduced equations), radau5-ggl (index 2; constant mass matrix, as RADAU5 demands),
# daspk-ggl. Prints what peers_sundials prints. The time is the processor time of the call, with what R adds to it (below
# 1 ms); runs are repeated within one measurement until it is long enough for R's clock.
# SPDX-License-Identifier: BSD-3-Clause
suppressMessages(library(deSolve))
arguments <- commandArgs(trailingOnly = TRUE)
dyn.load(arguments[1])
method <- arguments[4]
rtol <- as.numeric(arguments[5])
sizes <- .C("peers_select", arguments[2], as.integer(arguments[3]), sizes = integer(3))$sizes
nq <- sizes[1]
nl <- sizes[2]
if (nq == 0) stop("there is no problem ", arguments[2])
if (method == "radau5-ggl" && sizes[3] == 0) stop("the mass matrix is not constant")
exact <- as.matrix(read.csv(arguments[7], check.names = FALSE))
times <- c(0, exact[, 1])
n <- 2 * nq + 2 * nl
start <- .C("peers_start", y = double(n), yp = double(n), mass = double(n))
module <- "peers_desolve"
atol <- c(rep(rtol, 2 * nq), rep(1, 2 * nl))

integrate <- function() {
    if (method == "radau5-reduced") {
        radau(start$y[1:(2 * nq)], times, "ode_rates", NULL, rtol = rtol, atol = rtol, jacfunc = "ode_jacobian",
              jactype = "fullusr", dllname = module, initfunc = NULL, maxsteps = 1e8, ynames = FALSE)
    } else if (method == "radau5-ggl") {
        radau(start$y, times, "ggl_rates", NULL, nind = c(2 * nq, 2 * nl, 0), rtol = rtol, atol = atol,
              jacfunc = "ggl_jacobian", jactype = "fullusr", mass = diag(start$mass), dllname = module,
              initfunc = NULL, maxsteps = 1e8, ynames = FALSE)
    } else if (method == "daspk-ggl") {
        daspk(start$y, times, dy = start$yp, res = "ggl_residual", parms = NULL, nind = c(2 * nq, 2 * nl, 0),
              rtol = rtol, atol = atol, jacres = "ggl_iteration", jactype = "fullusr", dllname = module,
              initfunc = NULL, maxsteps = 1e8, ynames = FALSE)
    } else stop("there is no method ", method)
}

processor <- function() sum(proc.time()[1:2])
seconds <- Inf
text <- ""
for (i in seq_len(max(1, as.integer(arguments[6])))) {
    runs <- 0
    begin <- processor()
    repeat {
        result <- tryCatch(suppressWarnings(integrate()), error = function(e) conditionMessage(e))
        runs <- runs + 1
        if (processor() - begin > 0.1) break
    }
    seconds <- min(seconds, (processor() - begin) / runs)
    if (seconds > 0.5) break
}
complete <- is.matrix(result) && nrow(result) == length(times) && all(is.finite(result))
position <- velocity <- multiplier <- NA
steps <- evaluations <- 0
if (complete) {
    rows <- unclass(result)[-1, -1, drop = FALSE]
    steps <- attr(result, "istate")[2]
    evaluations <- attr(result, "istate")[3]
    multipliers <- function(state) {
        t(sapply(seq_len(nrow(exact)), function(i)
            .C("peers_multipliers", exact[i, 1], state[i, ], lambda = double(nl))$lambda))
    }
    shape <- function(m) matrix(m, nrow = nrow(exact))
    truth <- exact[, -1, drop = FALSE]
    forces <- shape(multipliers(truth))
    found <- if (method == "radau5-reduced") shape(multipliers(rows)) else rows[, 2 * nq + seq_len(nl), drop = FALSE]
    error <- function(x, y) max(abs(x - y) / (1 + abs(y)))
    position <- error(rows[, 1:nq], truth[, 1:nq])
    velocity <- error(rows[, nq + 1:nq], truth[, nq + 1:nq])
    multiplier <- error(if (nl == 1) as.vector(found) else found, if (nl == 1) as.vector(forces) else forces)
} else text <- "stopped early"
number <- function(x) if (is.na(x)) "null" else sprintf("%.6g", x)
cat(sprintf('{"seconds": %s, "steps": %d, "evaluations": %d, "position": %s, "velocity": %s, "multiplier": %s, "text": "%s"}\n',
            number(seconds), as.integer(steps), as.integer(evaluations), number(position), number(velocity),
            number(multiplier), text))
