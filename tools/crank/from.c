/* from.c - "--from RESULT[@T]": a run, an equilibrium or a linearisation that begins at a row
 * of a result; "--positions-from", a run that begins at its positions. */
// SPDX-License-Identifier: BSD-3-Clause
#include "from.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 4096 };

/* RESULT@T, unless a file has that very name; t: NaN without it. false: too long. */
static bool split(const char *from, char path[PATH], double *t)
{
    const char *at = strrchr(from, '@');
    char *end = NULL;
    size_t length = strlen(from);

    *t = (double)NAN;
    if (at != NULL && at[1] != '\0' && access(from, F_OK) != 0) {
        const double value = strtod(at + 1, &end);
        if (*end == '\0' && isfinite(value)) {
            *t = value;
            length = (size_t)(at - from);
        }
    }
    if (length >= PATH) {
        return false;
    }
    memcpy(path, from, length);
    path[length] = '\0';
    return true;
}

static int begin(session *s, const char *option, const char *path, double t,
                 const crank_table *table)
{
    const bool placed = strcmp(option, "--from") != 0;
    crank_error err = {0};
    double found = 0.0;
    const int row = crank_table_row_at(table, t, &found);

    if (row < 0) {
        tell_error(&s->messages, "%s %s: it has no rows of a motion", option, path);
        return CODE_USAGE;
    }
    const crank_status status = placed ? crank_run_begin_placed(s->run, table, row, &err)
                                       : crank_run_begin_from(s->run, table, row, &err);
    if (status != CRANK_OK && err.given) {
        tell_error(&s->messages, "%s %s: %s", option, path, err.text);
        return CODE_USAGE;
    }
    if (status != CRANK_OK) {
        return session_fail(s, status, &err);
    }
    if (!isnan(t) && fabs(found - t) > 1e-9 * fmax(fabs(t), fabs(found))) {
        tell_note(&s->messages, "%s %s: the row nearest to t = %.10g is at %.10g", option, path,
                  t, found);
    }
    session_show(s);
    return -1;
}

static int begin_at(session *s, const char *option, const char *from)
{
    char path[PATH];
    double t;
    crank_table *table = NULL;
    crank_error err = {0};

    if (from == NULL) {
        return -1;
    }
    if (!split(from, path, &t)) {
        tell_error(&s->messages, "%s: the name is too long", option);
        return CODE_USAGE;
    }
    const crank_status status = crank_table_read(path, &table, &err);
    if (status != CRANK_OK) {
        tell_error(&s->messages, "%s %s", option, failure_text(status, &err));
        return CODE_USAGE;
    }
    const int code = begin(s, option, path, t, table);
    crank_table_destroy(table);
    return code;
}

int session_begin_from(session *s, const char *from)
{
    return begin_at(s, "--from", from);
}

int session_begin_placed(session *s, const char *from)
{
    return begin_at(s, "--positions-from", from);
}
