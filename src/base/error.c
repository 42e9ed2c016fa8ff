/* error.c - version, status names, the caller's error record and log.
 *
 * Names and sentences come from the one list in crank/base.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/blame.h"
#include "base/utf8.h"

#include <stdio.h>

#define TEXT_OF(x)  #x
#define VALUE_OF(x) TEXT_OF(x)

const char *crank_version(void)
{
    return VALUE_OF(CRANK_VERSION_MAJOR) "." VALUE_OF(CRANK_VERSION_MINOR) "." VALUE_OF(
        CRANK_VERSION_PATCH);
}

const char *crank_status_name(crank_status status)
{
    switch (status) {
#define STATUS_NAME(name, value, text)                                                         \
    case CRANK_##name:                                                                         \
        return #name;
        CRANK_STATUS_LIST(STATUS_NAME)
#undef STATUS_NAME
    }
    return "?";
}

const char *crank_status_text(crank_status status)
{
    switch (status) {
#define STATUS_TEXT(name, value, text)                                                         \
    case CRANK_##name:                                                                         \
        return text;
        CRANK_STATUS_LIST(STATUS_TEXT)
#undef STATUS_TEXT
    }
    return "unknown status";
}

/* one sentence, no newline: control characters that came in with a user's text become blanks */
static void write_text(char *text, size_t size, const char *format, va_list arguments)
{
    if (vsnprintf(text, size, format, arguments) < 0) {
        text[0] = '\0';
    }
    for (char *c = text; *c != '\0';) { /* names that were cut may end inside a character */
        uint32_t code;
        const int length = crank_utf8_read(c, &code);
        *c = (char)(length == 0 ? '?' : (unsigned char)*c < ' ' ? ' ' : *c);
        c += length > 0 ? length : 1;
    }
}

static void note(crank_error *err, crank_status status, int line, int column,
                 const char *format, va_list arguments)
{
    err->status = status;
    err->line = line;
    err->column = column;
    err->file[0] = '\0';
    err->given = false;
    write_text(err->text, sizeof err->text, format, arguments);
}

crank_status crank_fail(crank_error *err, crank_status status, const char *format, ...)
{
    if (err != NULL) {
        va_list arguments;
        va_start(arguments, format);
        note(err, status, 0, 0, format, arguments);
        va_end(arguments);
    }
    return status;
}

crank_status crank_fail_at(crank_error *err, crank_status status, int line, int column,
                           const char *format, ...)
{
    if (err != NULL) {
        va_list arguments;
        va_start(arguments, format);
        note(err, status, line, column, format, arguments);
        va_end(arguments);
    }
    return status;
}

crank_status crank_fail_in(crank_error *err, crank_status status, const char *file, int line,
                           int column, const char *format, va_list arguments)
{
    char text[sizeof err->text]; /* arguments may be the text that was there */
    write_text(text, sizeof text, format, arguments);
    (void)crank_fail_at(err, status, line, column, "%s", text);
    if (err != NULL && file != NULL) {
        (void)snprintf(err->file, sizeof err->file, "%s", file);
    }
    return status;
}

void crank_log_write(const crank_log *log, crank_level level, const char *format, ...)
{
    if (log == NULL || log->write == NULL) {
        return;
    }
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    write_text(text, sizeof text, format, arguments);
    va_end(arguments);
    log->write(level, text, log->user);
}
