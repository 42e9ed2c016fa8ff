/* gateway.c - the MEX function: finds the command, and tells what went wrong. */
// SPDX-License-Identifier: BSD-3-Clause
#include "bindings.h"

#include <string.h>

static const struct {
    const char *name;
    crank_status (*run)(call *c, crank_error *err);
} commands[] = {{"model", command_model},         {"run", command_run},
                {"init", command_init},           {"solve", command_solve},
                {"check", command_check},         {"equilibrium", command_equilibrium},
                {"linearize", command_linearize}, {"between", command_between}};

enum { COMMANDS = (int)(sizeof commands / sizeof commands[0]) };

static void tell_failure(call *c, crank_status status, const crank_error *err)
{
    const char *names[] = {"status", "text", "file", "line", "column"};
    mxArray *failure = mxCreateStructMatrix(1, 1, 5, names);
    mxSetField(failure, 0, "status", mxCreateString(crank_status_name(status)));
    mxSetField(failure, 0, "text",
               mxCreateString(err->text[0] != '\0' ? err->text : crank_status_text(status)));
    mxSetField(failure, 0, "file", mxCreateString(err->file));
    mxSetField(failure, 0, "line", mxCreateDoubleScalar(err->line));
    mxSetField(failure, 0, "column", mxCreateDoubleScalar(err->column));
    answer_set(c, "error", failure);
}

CRANK_API void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    call c = {0};
    crank_error err = {0};
    char *name = nrhs == 2 && mxIsChar(prhs[0]) ? mxArrayToString(prhs[0]) : NULL;
    (void)nlhs;
    if (name == NULL || !mxIsStruct(prhs[1])) {
        mexErrMsgIdAndTxt("crank:EARG", "crank_mex(command, request): see help crank_run");
        return;
    }
    c.request = prhs[1];
    c.answer = mxCreateStructMatrix(1, 1, 0, NULL);
    c.warnings = mxCreateCellMatrix(1, 0);
    crank_status status = crank_fail(&err, CRANK_EARG, "crank_mex has no command \"%s\"", name);
    for (int i = 0; i < COMMANDS; i++) {
        if (strcmp(name, commands[i].name) == 0) {
            err = (crank_error){0};
            interruption_begin();
            status = commands[i].run(&c, &err);
            crank_run_close(c.run);
            interruption_end();
            break;
        }
    }
    if (status != CRANK_OK) {
        tell_failure(&c, status, &err);
    }
    answer_set(&c, "warnings", c.warnings);
    if (c.thrown != NULL) {
        answer_set(&c, "thrown", c.thrown);
    }
    plhs[0] = c.answer;
}
