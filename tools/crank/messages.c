/* messages.c - everything the command says on standard error. */
// SPDX-License-Identifier: BSD-3-Clause
#include "command.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { WARNINGS_SHOWN = 10 };

void clear_progress(messages *m)
{
    if (m->progress_shown) {
        (void)fputs("\r\033[K", stderr);
        m->progress_shown = false;
    }
}

/* What was printed before stands before, where both streams go to one place. */
static void begin(messages *m)
{
    (void)fflush(stdout);
    clear_progress(m);
}

static void tell(messages *m, const char *format, va_list arguments)
{
    begin(m);
    (void)fputs("crank: ", stderr);
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
}

void tell_error(messages *m, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    tell(m, format, arguments);
    va_end(arguments);
}

void tell_note(messages *m, const char *format, ...)
{
    va_list arguments;

    if (m->quiet) {
        return;
    }
    va_start(arguments, format);
    tell(m, format, arguments);
    va_end(arguments);
}

void tell_entry(messages *m, const char *label, const char *format, ...)
{
    va_list arguments;

    if (m->quiet) {
        return;
    }
    begin(m);
    (void)fprintf(stderr, "  %-10s ", label);
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fputc('\n', stderr);
}

const char *failure_text(crank_status status, const crank_error *err)
{
    return err->text[0] != '\0' ? err->text : crank_status_text(status);
}

const char *failure_remedy(crank_status status)
{
    switch ((int)status) {
    case CRANK_ESTEP_TOO_SMALL:
    case CRANK_ENEWTON:
        return "; look at the model there with --steps, or loosen rtol and atol";
    case CRANK_EMAX_STEPS:
        return "; raise max_steps";
    default:
        return "";
    }
}

void tell_file_error(messages *m, const char *path, const crank_error *err)
{
    const char *text = failure_text(err->status, err);
    const size_t length = strlen(path);

    if (strncmp(text, path, length) == 0 && text[length] == ':') {
        text += length + 1 + strspn(text + length + 1, " ");
    }
    begin(m);
    if (err->file[0] != '\0') {
        path = err->file;
    }
    (void)snprintf(m->named, sizeof m->named, "%s", path);
    if (err->line > 0 && err->column > 0) {
        (void)fprintf(stderr, "%s:%d:%d: %s\n", path, err->line, err->column, text);
    } else if (err->line > 0) {
        (void)fprintf(stderr, "%s:%d: %s\n", path, err->line, text);
    } else {
        (void)fprintf(stderr, "crank: %s: %s\n", path, text);
    }
}

static void log_write(crank_level level, const char *text, void *user)
{
    messages *m = user;

    if (level != CRANK_WARNING) {
        tell_note(m, "%s", text);
        return;
    }
    m->warnings++;
    if (m->warnings <= WARNINGS_SHOWN) {
        tell_error(m, "warning: %s", text);
    } else if (m->warnings == WARNINGS_SHOWN + 1) {
        tell_error(m, "warning: there are more, which are not shown; of a robot's file "
                      "\"crank import\" lists all");
    }
}

crank_log message_log(messages *m)
{
    return (crank_log){.write = log_write, .user = m};
}

int warnings_hidden(const messages *m)
{
    return m->warnings > WARNINGS_SHOWN ? m->warnings - WARNINGS_SHOWN : 0;
}
