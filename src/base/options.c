/* options.c - options by name: setting from text, validation, description; from one table
 * (options_table.c).
 *
 * Numbers are read and written with a decimal point whatever the locale, see number.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/options.h"
#include "base/then.h"

#include "base/archive.h"
#include "base/number.h"
#include "base/suggest.h"

#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 100 }; /* options */

/* ---- fields of the struct as numbers ---- */

double crank_option_get(const crank_options *options, const crank_option_field *field)
{
    const char *place = (const char *)options + field->offset;
    double real;
    int64_t count;
    int number;
    unsigned char flag;
    switch (field->kind) {
    case CRANK_OPTION_REAL:
        memcpy(&real, place, sizeof real);
        return real;
    case CRANK_OPTION_INT64:
        memcpy(&count, place, sizeof count);
        return (double)count;
    case CRANK_OPTION_INT:
    case CRANK_OPTION_ENUM:
        memcpy(&number, place, sizeof number);
        return number;
    case CRANK_OPTION_BOOL:
        memcpy(&flag, place, sizeof flag);
        return flag;
    }
    return 0.0;
}

static void put_field(crank_options *options, const crank_option_field *field, double value)
{
    char *place = (char *)options + field->offset;
    const int64_t count = field->kind == CRANK_OPTION_REAL ? 0 : (int64_t)value;
    const int number = (int)count;
    const bool flag = value != 0.0;
    switch (field->kind) {
    case CRANK_OPTION_REAL:
        memcpy(place, &value, sizeof value);
        break;
    case CRANK_OPTION_INT64:
        memcpy(place, &count, sizeof count);
        break;
    case CRANK_OPTION_INT:
    case CRANK_OPTION_ENUM:
        memcpy(place, &number, sizeof number);
        break;
    case CRANK_OPTION_BOOL:
        memcpy(place, &flag, sizeof flag);
        break;
    }
}

/* ---- texts ---- */

static void describe_range(char *text, size_t size, const crank_option_field *field)
{
    char low[CRANK_NUMBER_TEXT];
    char high[CRANK_NUMBER_TEXT];
    if (field->kind == CRANK_OPTION_BOOL) {
        (void)snprintf(text, size, "on|off");
        return;
    }
    if (field->kind == CRANK_OPTION_ENUM) {
        size_t used = 0;
        for (int i = 0; i < field->word_count && used < size; i++) {
            const int n =
                snprintf(text + used, size - used, "%s%s", i > 0 ? "|" : "", field->words[i]);
            used += n > 0 ? (size_t)n : 0;
        }
        return;
    }
    const double unlimited = field->kind == CRANK_OPTION_INT     ? (double)INT_MAX
                             : field->kind == CRANK_OPTION_INT64 ? CRANK_OPTION_MOST
                                                                 : CRANK_OPTION_ANY;
    (void)crank_number_print(low, sizeof low, field->min, 0);
    (void)crank_number_print(high, sizeof high, field->max, 0);
    if (field->max < unlimited) {
        (void)snprintf(text, size, "%s to %s", low, high);
    } else if (field->min == CRANK_OPTION_POSITIVE) {
        (void)snprintf(text, size, "positive");
    } else {
        (void)snprintf(text, size, "at least %s", low);
    }
}

static void describe_value(char *text, size_t size, const crank_option_field *field,
                           double value)
{
    if (field->kind == CRANK_OPTION_BOOL) {
        (void)snprintf(text, size, "%s", value != 0.0 ? "on" : "off");
    } else if (field->kind == CRANK_OPTION_ENUM) {
        (void)snprintf(text, size, "%s", field->words[(int)value]);
    } else {
        (void)crank_number_print(text, size, value, 0);
    }
}

static crank_status check_range(const crank_option_field *field, double value, crank_error *err)
{
    char text[CRANK_NUMBER_TEXT];
    char range[160];
    const double max = field->kind == CRANK_OPTION_ENUM ? field->word_count - 1 : field->max;
    if (isfinite(value) && value >= field->min && value <= max) {
        return CRANK_OK;
    }
    describe_range(range, sizeof range, field);
    return crank_fail(err, CRANK_EARG, "option \"%s\" is %s, must be %s", field->name,
                      crank_number_print(text, sizeof text, value, 0), range);
}

/* ---- values from text ---- */

static crank_status parse_number(const crank_option_field *field, const char *text,
                                 double *value, crank_error *err)
{
    if (!crank_number_parse(text, value)) {
        return crank_fail(err, CRANK_EARG, "option \"%s\": \"%s\" is not a number", field->name,
                          text);
    }
    if (!isfinite(*value)) {
        return crank_fail(err, CRANK_EARG, "option \"%s\": \"%s\" is not a finite number",
                          field->name, text);
    }
    if (field->kind != CRANK_OPTION_REAL && *value != floor(*value)) {
        return crank_fail(err, CRANK_EARG, "option \"%s\": \"%s\" is not a whole number",
                          field->name, text);
    }
    return CRANK_OK;
}

static crank_status parse_word(const crank_option_field *field, const char *text, double *value,
                               crank_error *err)
{
    static const char *const bool_words[] = {"off", "on", "false", "true"};
    const char *const *words = field->kind == CRANK_OPTION_BOOL ? bool_words : field->words;
    const int count = field->kind == CRANK_OPTION_BOOL ? 4 : field->word_count;
    for (int i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0) {
            *value = field->kind == CRANK_OPTION_BOOL ? i % 2 : i;
            return CRANK_OK;
        }
    }
    char range[160];
    describe_range(range, sizeof range, field);
    const char *near = crank_suggest(text, words, count);
    if (near != NULL) {
        return crank_fail(err, CRANK_EARG,
                          "option \"%s\": \"%s\" is not one of %s; did you mean \"%s\"?",
                          field->name, text, range, near);
    }
    return crank_fail(err, CRANK_EARG, "option \"%s\": \"%s\" is not one of %s", field->name,
                      text, range);
}

static const crank_option_field *find_field(const char *name, crank_error *err)
{
    const char *names[MOST];
    assert(crank_option_count <= MOST);
    for (int i = 0; i < crank_option_count; i++) {
        if (strcmp(name, crank_option_fields[i].name) == 0) {
            return &crank_option_fields[i];
        }
        names[i] = crank_option_fields[i].name;
    }
    const char *near = crank_suggest(name, names, crank_option_count);
    if (near != NULL) {
        (void)crank_fail(err, CRANK_EARG, "option \"%s\" is not known; did you mean \"%s\"?",
                         name, near);
    } else {
        (void)crank_fail(err, CRANK_EARG, "option \"%s\" is not known", name);
    }
    return NULL;
}

static crank_status check_size(const crank_options *options, crank_error *err)
{
    if (options->size != sizeof(crank_options)) {
        return crank_fail(err, CRANK_EARG,
                          "options have size %zu, not %zu: begin with crank_options_default()",
                          options->size, sizeof(crank_options));
    }
    return CRANK_OK;
}

/* ---- public ---- */

crank_status crank_options_set(crank_options *options, const char *name, const char *value,
                               crank_error *err)
{
    const crank_option_field *field = find_field(name, err);
    if (field == NULL) {
        return CRANK_EARG;
    }
    double number = 0.0;
    const bool word = field->kind == CRANK_OPTION_BOOL || field->kind == CRANK_OPTION_ENUM;
    crank_status status = check_size(options, err);
    CRANK_THEN(status, word ? parse_word(field, value, &number, err)
                            : parse_number(field, value, &number, err));
    CRANK_THEN(status, check_range(field, number, err));
    if (status == CRANK_OK) {
        put_field(options, field, number);
    }
    return status;
}

crank_status crank_options_check(const crank_options *options, crank_error *err)
{
    crank_status status = check_size(options, err);
    for (int i = 0; i < crank_option_count && status == CRANK_OK; i++) {
        status = check_range(&crank_option_fields[i],
                             crank_option_get(options, &crank_option_fields[i]), err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    /* below this, round-off looks like an error of the method [HW96, IV.8] */
    if (options->rtol <= 10.0 * options->rounding_unit) {
        return crank_fail(err, CRANK_EARG, "rtol = %g must exceed 10 times rounding_unit = %g",
                          options->rtol, options->rounding_unit);
    }
    if (options->h_max > 0.0 && options->h_start > options->h_max) {
        return crank_fail(err, CRANK_EARG, "h_start = %g exceeds h_max = %g", options->h_start,
                          options->h_max);
    }
    if (options->newton_matrix != 0 && options->newton_start == CRANK_START_ZERO) {
        return crank_fail(err, CRANK_EARG,
                          "newton_matrix = %d needs newton_start extrapolate: without "
                          "extrapolation all stages start at the same point",
                          options->newton_matrix);
    }
    return CRANK_OK;
}

void crank_archive_check_options(crank_archive *a, const crank_options *options)
{
    for (int i = 0; i < crank_option_count && crank_archive_fine(a); i++) {
        const crank_option_field *field = &crank_option_fields[i];
        const double here = crank_option_get(options, field);
        double there = here;
        char text[2][CRANK_NUMBER_TEXT];
        crank_archive_double(a, &there);
        if (there == here || !crank_archive_fine(a)) {
            continue;
        }
        if (check_range(field, there, NULL) != CRANK_OK) {
            crank_archive_fail(a, CRANK_EFILE, "the checkpoint is damaged: option %s",
                               field->name);
            return;
        }
        describe_value(text[0], sizeof text[0], field, there);
        describe_value(text[1], sizeof text[1], field, here);
        crank_archive_fail(a, CRANK_EFILE,
                           "option %s is %s in the checkpoint and %s here; a run is continued "
                           "with the options it was started with",
                           field->name, text[0], text[1]);
    }
}

bool crank_options_describe(int i, const char **name, char *range, size_t range_size,
                            const char **help)
{
    if (i < 0 || i >= crank_option_count) {
        return false;
    }
    const crank_options defaults = crank_options_default();
    const crank_option_field *field = &crank_option_fields[i];
    char admissible[160];
    char standard[CRANK_NUMBER_TEXT];
    describe_range(admissible, sizeof admissible, field);
    describe_value(standard, sizeof standard, field, crank_option_get(&defaults, field));
    *name = field->name;
    *help = field->help;
    (void)snprintf(range, range_size, "%s, default %s", admissible, standard);
    return true;
}
