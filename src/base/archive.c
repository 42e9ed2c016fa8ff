/* archive.c - see archive.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/archive.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 24, TEXT = 40, FIRST_ROOM = 4096 };

crank_archive crank_archive_saving(void)
{
    return (crank_archive){.loading = false};
}

crank_archive crank_archive_loading(const void *data, size_t size)
{
    return (crank_archive){.loading = true, .given = data, .size = size};
}

void crank_archive_free(crank_archive *a)
{
    free(a->made);
    *a = (crank_archive){0};
}

void crank_archive_fail(crank_archive *a, crank_status status, const char *format, ...)
{
    if (!crank_archive_fine(a)) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(a->error.text, sizeof a->error.text, format, arguments);
    va_end(arguments);
    a->error.status = status;
}

static void damaged(crank_archive *a, const char *what)
{
    crank_archive_fail(a, CRANK_EFILE, "the checkpoint is damaged: %s", what);
}

static bool make_room(crank_archive *a, size_t bytes)
{
    if (bytes <= a->size - a->used) {
        return true;
    }
    const bool fits = bytes <= SIZE_MAX / 4 - FIRST_ROOM && a->size <= SIZE_MAX / 4;
    const size_t size = fits ? 2 * a->size + bytes + FIRST_ROOM : 0;
    unsigned char *grown = fits ? realloc(a->made, size) : NULL;
    if (grown == NULL) {
        crank_archive_fail(a, CRANK_EMEM, "checkpoint of %zu bytes", a->used + bytes);
        return false;
    }
    a->made = grown;
    a->size = size;
    return true;
}

void crank_archive_bytes(crank_archive *a, void *data, size_t size)
{
    if (!crank_archive_fine(a) || size == 0) {
        return;
    }
    if (!a->loading) {
        if (make_room(a, size)) {
            memcpy(a->made + a->used, data, size);
            a->used += size;
        }
        return;
    }
    if (size > a->size - a->used) {
        damaged(a, "it ends too early");
        return;
    }
    memcpy(data, a->given + a->used, size);
    a->used += size;
}

void crank_archive_doubles(crank_archive *a, double *values, size_t count)
{
    crank_archive_bytes(a, values, count * sizeof *values);
}

void crank_archive_double(crank_archive *a, double *value)
{
    crank_archive_bytes(a, value, sizeof *value);
}

void crank_archive_ints(crank_archive *a, int *values, size_t count, int lowest, int highest)
{
    crank_archive_bytes(a, values, count * sizeof *values);
    for (size_t i = 0; i < count && a->loading && crank_archive_fine(a); i++) {
        if (values[i] < lowest || values[i] > highest) {
            damaged(a, "a number is out of range");
        }
    }
}

void crank_archive_int(crank_archive *a, int *value, int lowest, int highest)
{
    crank_archive_ints(a, value, 1, lowest, highest);
}

/* through a byte each: a bool that is neither 0 nor 1 must never exist */
void crank_archive_flags(crank_archive *a, bool *values, size_t count)
{
    for (size_t i = 0; i < count && crank_archive_fine(a); i++) {
        unsigned char byte = !a->loading && values[i];
        crank_archive_bytes(a, &byte, 1);
        if (byte > 1) {
            damaged(a, "a flag is neither on nor off");
        } else if (a->loading) {
            values[i] = byte == 1;
        }
    }
}

void crank_archive_flag(crank_archive *a, bool *value)
{
    crank_archive_flags(a, value, 1);
}

void crank_archive_count(crank_archive *a, int64_t *value)
{
    crank_archive_bytes(a, value, sizeof *value);
}

void crank_archive_statistics(crank_archive *a, crank_statistics *statistics)
{
    crank_archive_bytes(a, statistics, sizeof *statistics); /* numbers of 8 bytes: no gaps */
}

/* nothing behind the end of a text, so that equal states are equal bytes */
static void blank_rest(char *text, size_t size)
{
    const size_t used = strnlen(text, size);
    memset(text + used, 0, size - used);
}

void crank_archive_error(crank_archive *a, crank_error *error)
{
    int status = error->status;
    if (!a->loading) {
        blank_rest(error->text, sizeof error->text);
        blank_rest(error->file, sizeof error->file);
    }
    crank_archive_int(a, &status, CRANK_EEVENTS, CRANK_RETRY);
    crank_archive_bytes(a, &error->line, sizeof error->line);
    crank_archive_bytes(a, &error->column, sizeof error->column);
    crank_archive_bytes(a, error->text, sizeof error->text);
    crank_archive_bytes(a, error->file, sizeof error->file);
    if (a->loading) {
        error->status = (crank_status)status;
        error->text[sizeof error->text - 1] = '\0';
        error->file[sizeof error->file - 1] = '\0';
    }
}

void crank_archive_check(crank_archive *a, const char *name, int64_t value)
{
    char found_name[NAME] = "";
    int64_t found = value;
    (void)snprintf(found_name, sizeof found_name, "%s", name);
    crank_archive_bytes(a, found_name, sizeof found_name);
    crank_archive_bytes(a, &found, sizeof found);
    if (!a->loading || !crank_archive_fine(a)) {
        return;
    }
    if (strncmp(found_name, name, sizeof found_name - 1) != 0) {
        crank_archive_fail(a, CRANK_EFILE,
                           "the checkpoint does not belong to this model or method: \"%s\" was "
                           "expected and not found",
                           name);
    } else if (found != value) {
        crank_archive_fail(a, CRANK_EFILE,
                           "the checkpoint does not belong to this model or method: %s is %lld "
                           "there and %lld here",
                           name, (long long)found, (long long)value);
    }
}

void crank_archive_check_text(crank_archive *a, const char *name, const char *text)
{
    char found[TEXT] = "";
    (void)snprintf(found, sizeof found, "%s", text);
    crank_archive_bytes(a, found, sizeof found);
    found[TEXT - 1] = '\0';
    if (a->loading && crank_archive_fine(a) && strncmp(found, text, TEXT - 1) != 0) {
        for (char *c = found; *c != '\0'; c++) {
            *c = *c < ' ' || *c > '~' ? '?' : *c;
        }
        crank_archive_fail(a, CRANK_EFILE, "the checkpoint was made with %s %s, this is %s",
                           name, found, text);
    }
}
