/* resume.c - "crank resume": continues a run from its checkpoint, bit for bit as if it had
 * never stopped.
 *
 * Everything is done as the run did it, from the same directory with the same arguments: the
 * model is read, the problem formulated at the initial values of the checkpoint, the integrator
 * made and started. Then the integrator is put into the state that it had, and the result is
 * cut to the rows that it had. */
// SPDX-License-Identifier: BSD-3-Clause
#include "run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct resume_arguments {
    text_list positional; /* the checkpoint */
    bool quiet;
} resume_arguments;

static const argument arguments[] = {
    {"--quiet", NULL, ARGUMENT_FLAG, offsetof(resume_arguments, quiet),
     "warnings and errors only"},
};

static const usage resume_usage = {
    .synopsis = "crank resume CHECKPOINT [options]",
    .summary =
        "Continues a run that was stopped or killed, from the checkpoint that crank run\n"
        "--checkpoint wrote. The result becomes what it would have been without the stop.",
    .arguments = arguments,
    .argument_count = (int)(sizeof arguments / sizeof arguments[0]),
    .positional = offsetof(resume_arguments, positional),
    .positional_min = 1,
    .positional_max = 1,
};

/* The path from the root, which holds when the directory changes; the caller's to free. NULL:
 * out of memory. */
static char *absolute(const char *path)
{
    char *here = path[0] == '/' ? strdup("") : getcwd(NULL, 0);
    const size_t size = here != NULL ? strlen(here) + strlen(path) + 2 : 0;
    char *whole = here != NULL ? malloc(size) : NULL;

    if (whole != NULL) {
        (void)snprintf(whole, size, "%s%s%s", here, path[0] == '/' ? "" : "/", path);
    }
    free(here);
    return whole;
}

/* Are crank and the model those of the run? */
static crank_status check_same(const checkpoint *c, const char *path, crank_error *err)
{
    if (strcmp(c->version, crank_version()) != 0) {
        return crank_fail(err, CRANK_EFILE,
                          "%s is of crank %s, this is %s: it would not give the same result; "
                          "start the run anew",
                          path, c->version, crank_version());
    }
    if (chdir(c->directory) != 0) {
        return crank_fail(err, CRANK_EFILE, "%s, where the run was started: %s", c->directory,
                          strerror(errno));
    }
    for (int64_t i = 0; i < c->file_count; i++) {
        checkpoint_file now = {.path = c->file[i].path};
        const crank_status status = checkpoint_file_read(&now, err);
        if (status != CRANK_OK) {
            return status;
        }
        if (now.size != c->file[i].size || now.hash != c->file[i].hash) {
            return crank_fail(err, CRANK_EFILE,
                              "%s has changed since the run began; bring it back, or start the "
                              "run anew",
                              now.path);
        }
    }
    return CRANK_OK;
}

static int resume(const checkpoint *c, const char *path, bool quiet)
{
    messages m = {.quiet = quiet};
    crank_error err = {0};
    run_arguments a = {0};

    if (check_same(c, path, &err) != CRANK_OK) {
        tell_error(&m, "%s", err.text);
        return CODE_FAILED;
    }
    int code = run_arguments_read(&a, (int)c->argument_count, c->argument);
    if (code < 0) {
        const run_order order = {.arguments = &a, .resumed = c};
        a.checkpoint = path; /* wherever it is now */
        a.model.quiet = a.model.quiet || quiet;
        m.quiet = a.model.quiet;
        interruption_watch();
        if (c->program != checkpoint_program()) {
            tell_error(&m,
                       "warning: this crank was built otherwise than the one that began the "
                       "run: the last bits of the result may differ");
        }
        tell_note(&m, "resuming %s at t = %.10g, row %lld, in %s", a.model.positional.item[0],
                  c->t_reached, (long long)c->row_count, c->directory);
        code = run_once(&order);
    }
    run_arguments_free(&a);
    return code;
}

int resume_main(int argc, char **argv)
{
    resume_arguments a = {0};
    checkpoint c = {0};
    crank_error err = {0};
    messages m = {0};
    int code = arguments_parse(&resume_usage, argc, argv, &a);

    if (code < 0) {
        char *path = absolute(a.positional.item[0]);
        if (path == NULL || checkpoint_read(&c, a.positional.item[0], &err) != CRANK_OK) {
            tell_error(&m, "%s%s", path == NULL ? "out of memory" : err.text,
                       path != NULL && access(path, F_OK) != 0
                           ? "; a run that has ended has none, nor has one that was stopped "
                             "before its first step"
                           : "");
            code = CODE_FAILED;
        }
        NEXT(code, resume(&c, path, a.quiet));
        free(path);
    }
    checkpoint_free(&c);
    arguments_free(&resume_usage, &a);
    return code;
}
