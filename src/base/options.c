/* options.c - every option of formulations and integrators in one table, which serves defaults' ranges,
 * setting by name, validation and the help text.
 *
 * Defaults follow the manual of GEOMS [Ste06, B] and RADAU5 [HW96, IV.8]. Numbers are read and written
 * with a decimal point whatever the locale, see number.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include <crank/options.h>

#include "base/archive.h"
#include "base/number.h"
#include "base/suggest.h"
#include "base/tolerance.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum option_kind {
    OPTION_REAL,
    OPTION_INT64,
    OPTION_INT,
    OPTION_BOOL,
    OPTION_ENUM
} option_kind;

typedef struct option_field {
    const char *name;
    size_t offset;
    option_kind kind;
    double min, max;          /* inclusive; not used of an enum */
    const char *const *words; /* of an enum, in the order of its values */
    int word_count;
    const char *help;
} option_field;

static const char *const controller_words[] = {"predictive", "classical"};
static const char *const rules_words[] = {"radau5", "published"};
static const char *const newton_start_words[] = {"extrapolate", "zero"};
static const char *const algebraic_words[] = {"auto", "lu", "qr", "svd"};
static const char *const differential_words[] = {"lu", "qr"};
static const char *const selector_update_words[] = {"adaptive", "every_step"};
static const char *const selector_source_words[] = {"mass", "newton_matrix"};
static const char *const linear_algebra_words[] = {"auto",     "dense", "sparse",
                                                   "recorded", "klu",   "banded"};
static const char *const accelerations_words[] = {"auto", "eliminate", "carry"};
static const char *const singular_words[] = {"stop", "pass"};

#define ANY      DBL_MAX /* no upper limit */
#define POSITIVE DBL_MIN /* anything above zero */
#define COUNT    1e15    /* exact as a double */

// clang-format off
#define AT(field)    #field, offsetof(crank_options, field)
#define WORDS(words) words, (int)(sizeof(words) / sizeof((words)[0]))
#define NO_WORDS     NULL, 0
static const option_field fields[] = {
    {AT(rtol), OPTION_REAL, 1e-14, 1, NO_WORDS, "relative tolerance"},
    {AT(atol), OPTION_REAL, POSITIVE, ANY, NO_WORDS, "absolute tolerance"},
    {AT(atol_p), OPTION_REAL, 0, ANY, NO_WORDS, "absolute tolerance of positions; 0: atol"},
    {AT(atol_v), OPTION_REAL, 0, ANY, NO_WORDS, "absolute tolerance of velocities; 0: atol"},
    {AT(atol_r), OPTION_REAL, 0, ANY, NO_WORDS, "absolute tolerance of dynamic force variables; 0: atol"},
    {AT(atol_w), OPTION_REAL, 0, ANY, NO_WORDS, "absolute tolerance of auxiliary variables; 0: atol"},
    {AT(atol_s), OPTION_REAL, 0, ANY, NO_WORDS, "absolute tolerance of contact variables; 0: atol"},
    {AT(atol_lambda), OPTION_REAL, 0, ANY, NO_WORDS, "absolute tolerance of holonomic multipliers; 0: atol"},
    {AT(atol_mu), OPTION_REAL, 0, ANY, NO_WORDS, "absolute tolerance of nonholonomic multipliers; 0: atol"},
    {AT(atol_length), OPTION_REAL, 0, ANY, NO_WORDS, "mechanisms: absolute tolerance of bodies' places; 0: atol_p"},
    {AT(atol_angle), OPTION_REAL, 0, ANY, NO_WORDS, "mechanisms: of angles and components of quaternions; 0: atol_p"},
    {AT(atol_speed), OPTION_REAL, 0, ANY, NO_WORDS, "mechanisms: of bodies' velocities; 0: atol_v"},
    {AT(atol_spin), OPTION_REAL, 0, ANY, NO_WORDS, "mechanisms: of bodies' angular velocities; 0: atol_v"},
    {AT(atol_force), OPTION_REAL, 0, ANY, NO_WORDS, "mechanisms: of forces that constraints exert; 0: atol_lambda, atol_mu"},
    {AT(atol_torque), OPTION_REAL, 0, ANY, NO_WORDS, "mechanisms: of torques, of constraints that only turn; 0: atol_lambda, atol_mu"},
    {AT(atol_energy), OPTION_REAL, 0, ANY, NO_WORDS, "mechanisms: of dissipated and supplied work; 0: atol_r"},
    {AT(tolerance_transform), OPTION_BOOL, 0, 1, NO_WORDS, "RADAU5's transformation rtol' = 0.1 rtol^(2/3), atol' = rtol' atol/rtol"},
    {AT(h_start), OPTION_REAL, 0, ANY, NO_WORDS, "first step size, s; 0: chosen"},
    {AT(h_max), OPTION_REAL, 0, ANY, NO_WORDS, "longest step, s; 0: no limit"},
    {AT(max_steps), OPTION_INT64, 0, COUNT, NO_WORDS, "limit on attempted steps; 0: no limit"},
    {AT(controller), OPTION_ENUM, 0, 0, WORDS(controller_words), "step-size controller"},
    {AT(control_rules), OPTION_ENUM, 0, 0, WORDS(rules_words), "details of step control: those of RADAU5, or the plain formulas published for GEOMS"},
    {AT(safety), OPTION_REAL, 0.001, 1, NO_WORDS, "safety factor of the step-size controller"},
    {AT(growth_max), OPTION_REAL, 1, ANY, NO_WORDS, "largest ratio of successive steps"},
    {AT(growth_min), OPTION_REAL, 0.001, 1, NO_WORDS, "smallest ratio of successive steps"},
    {AT(keep_low), OPTION_REAL, 0, 1, NO_WORDS, "the step is kept if the ratio to the next lies between keep_low and keep_high"},
    {AT(keep_high), OPTION_REAL, 1, ANY, NO_WORDS, "see keep_low"},
    {AT(max_order), OPTION_INT, 0, 12, NO_WORDS, "highest order of bdf (up to 6) or adams (up to 12); 0: 5 and 12"},
    {AT(newton_max), OPTION_INT, 1, 1000, NO_WORDS, "most Newton iterations per matrix"},
    {AT(newton_tolerance), OPTION_REAL, 0, 1, NO_WORDS, "stopping constant of Newton's iteration; 0: from rtol (radau), or 0.33 (bdf; 0.01 where steps end without correction)"},
    {AT(newton_start), OPTION_ENUM, 0, 0, WORDS(newton_start_words), "starting values of Newton's iteration"},
    {AT(newton_matrix), OPTION_INT, 0, 3, NO_WORDS, "where the Newton matrix is taken: 0 at the start of the step, 1 to 3 at that extrapolated stage"},
    {AT(newton_updates), OPTION_INT, 0, 100, NO_WORDS, "new Newton matrices allowed within a step"},
    {AT(jacobian_reuse), OPTION_REAL, -1, 0.999, NO_WORDS, "the Jacobian is kept if Newton contracts faster than this; negative: never"},
    {AT(algebraic), OPTION_ENUM, 0, 0, WORDS(algebraic_words), "decomposition of the algebraic part; auto: lu, and svd once constraints are redundant"},
    {AT(differential), OPTION_ENUM, 0, 0, WORDS(differential_words), "decomposition of the differential part"},
    {AT(selector_update), OPTION_ENUM, 0, 0, WORDS(selector_update_words), "when the differential equations are chosen anew"},
    {AT(selector_source), OPTION_ENUM, 0, 0, WORDS(selector_source_words), "what they are chosen from: the row-equilibrated mass part, or the Newton matrix as published"},
    {AT(selector_period), OPTION_INT, -1, INT_MAX, NO_WORDS, "gmkssol: accepted steps between selectors; 0: every step; -1: constant"},
    {AT(baumgarte_alpha), OPTION_REAL, POSITIVE, ANY, NO_WORDS, "baumgarte: 0 = gII + 2 alpha gI + beta^2 g, 1/s"},
    {AT(baumgarte_beta), OPTION_REAL, POSITIVE, ANY, NO_WORDS, "baumgarte: see baumgarte_alpha, 1/s"},
    {AT(baumgarte_delta), OPTION_REAL, POSITIVE, ANY, NO_WORDS, "baumgarte: 0 = hI + delta h, 1/s"},
    {AT(linear_algebra), OPTION_ENUM, 0, 0, WORDS(linear_algebra_words), "dense or sparse realisation; sparse by one of the solvers: recorded, klu, banded"},
    {AT(accelerations), OPTION_ENUM, 0, 0, WORDS(accelerations_words), "how the mass matrix of a model file is treated: eliminated, or accelerations carried as unknowns"},
    {AT(singular), OPTION_ENUM, 0, 0, WORDS(singular_words), "what happens at a singular position: the run stops, or passes it if the motion is smooth"},
    {AT(singular_threshold), OPTION_REAL, 0, 1, NO_WORDS, "a position is singular if a pivot falls below this part of its largest value; 0: not watched"},
    {AT(rank_tolerance), OPTION_REAL, DBL_EPSILON, 0.1, NO_WORDS, "singular values below this part of the largest are zero"},
    {AT(final_correction), OPTION_BOOL, 0, 1, NO_WORDS, "each step ends with a correction onto all constraint levels"},
    {AT(invariants), OPTION_BOOL, 0, 1, NO_WORDS, "stated invariants are enforced; off: only reported"},
    {AT(check_initial), OPTION_BOOL, 0, 1, NO_WORDS, "initial values are checked and corrected"},
    {AT(rounding_unit), OPTION_REAL, 1e-19, 1e-3, NO_WORDS, "rounding unit of the arithmetic"},
    {AT(failures_max), OPTION_INT, 0, INT_MAX, NO_WORDS, "consecutive failures of Newton's iteration before giving up; 0: no limit"},
};
// clang-format on

enum { FIELDS = sizeof fields / sizeof fields[0] };

/* ---- fields of the struct as numbers ---- */

static double get_field(const crank_options *options, const option_field *field)
{
    const char *place = (const char *)options + field->offset;
    double real;
    int64_t count;
    int number;
    unsigned char flag;
    switch (field->kind) {
    case OPTION_REAL:
        memcpy(&real, place, sizeof real);
        return real;
    case OPTION_INT64:
        memcpy(&count, place, sizeof count);
        return (double)count;
    case OPTION_INT:
    case OPTION_ENUM:
        memcpy(&number, place, sizeof number);
        return number;
    case OPTION_BOOL:
        memcpy(&flag, place, sizeof flag);
        return flag;
    }
    return 0.0;
}

static void put_field(crank_options *options, const option_field *field, double value)
{
    char *place = (char *)options + field->offset;
    const int64_t count = field->kind == OPTION_REAL ? 0 : (int64_t)value;
    const int number = (int)count;
    const bool flag = value != 0.0;
    switch (field->kind) {
    case OPTION_REAL:
        memcpy(place, &value, sizeof value);
        break;
    case OPTION_INT64:
        memcpy(place, &count, sizeof count);
        break;
    case OPTION_INT:
    case OPTION_ENUM:
        memcpy(place, &number, sizeof number);
        break;
    case OPTION_BOOL:
        memcpy(place, &flag, sizeof flag);
        break;
    }
}

/* ---- texts ---- */

static void describe_range(char *text, size_t size, const option_field *field)
{
    char low[CRANK_NUMBER_TEXT];
    char high[CRANK_NUMBER_TEXT];
    if (field->kind == OPTION_BOOL) {
        (void)snprintf(text, size, "on|off");
        return;
    }
    if (field->kind == OPTION_ENUM) {
        size_t used = 0;
        for (int i = 0; i < field->word_count && used < size; i++) {
            const int n =
                snprintf(text + used, size - used, "%s%s", i > 0 ? "|" : "", field->words[i]);
            used += n > 0 ? (size_t)n : 0;
        }
        return;
    }
    const double unlimited = field->kind == OPTION_INT     ? (double)INT_MAX
                             : field->kind == OPTION_INT64 ? COUNT
                                                           : ANY;
    (void)crank_number_print(low, sizeof low, field->min, 0);
    (void)crank_number_print(high, sizeof high, field->max, 0);
    if (field->max < unlimited) {
        (void)snprintf(text, size, "%s to %s", low, high);
    } else if (field->min == POSITIVE) {
        (void)snprintf(text, size, "positive");
    } else {
        (void)snprintf(text, size, "at least %s", low);
    }
}

static void describe_value(char *text, size_t size, const option_field *field, double value)
{
    if (field->kind == OPTION_BOOL) {
        (void)snprintf(text, size, "%s", value != 0.0 ? "on" : "off");
    } else if (field->kind == OPTION_ENUM) {
        (void)snprintf(text, size, "%s", field->words[(int)value]);
    } else {
        (void)crank_number_print(text, size, value, 0);
    }
}

static crank_status check_range(const option_field *field, double value, crank_error *err)
{
    char text[CRANK_NUMBER_TEXT];
    char range[160];
    const double max = field->kind == OPTION_ENUM ? field->word_count - 1 : field->max;
    if (isfinite(value) && value >= field->min && value <= max) {
        return CRANK_OK;
    }
    describe_range(range, sizeof range, field);
    return crank_fail(err, CRANK_EARG, "option \"%s\" is %s, must be %s", field->name,
                      crank_number_print(text, sizeof text, value, 0), range);
}

/* ---- values from text ---- */

static crank_status parse_number(const option_field *field, const char *text, double *value,
                                 crank_error *err)
{
    if (!crank_number_parse(text, value)) {
        return crank_fail(err, CRANK_EARG, "option \"%s\": \"%s\" is not a number", field->name,
                          text);
    }
    if (!isfinite(*value)) {
        return crank_fail(err, CRANK_EARG, "option \"%s\": \"%s\" is not a finite number",
                          field->name, text);
    }
    if (field->kind != OPTION_REAL && *value != floor(*value)) {
        return crank_fail(err, CRANK_EARG, "option \"%s\": \"%s\" is not a whole number",
                          field->name, text);
    }
    return CRANK_OK;
}

static crank_status parse_word(const option_field *field, const char *text, double *value,
                               crank_error *err)
{
    static const char *const bool_words[] = {"off", "on", "false", "true"};
    const char *const *words = field->kind == OPTION_BOOL ? bool_words : field->words;
    const int count = field->kind == OPTION_BOOL ? 4 : field->word_count;
    for (int i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0) {
            *value = field->kind == OPTION_BOOL ? i % 2 : i;
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

static const option_field *find_field(const char *name, crank_error *err)
{
    const char *names[FIELDS];
    for (int i = 0; i < FIELDS; i++) {
        if (strcmp(name, fields[i].name) == 0) {
            return &fields[i];
        }
        names[i] = fields[i].name;
    }
    const char *near = crank_suggest(name, names, FIELDS);
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

crank_options crank_options_default(void)
{
    return (crank_options){
        .size = sizeof(crank_options),
        .rtol = 1e-6,
        .atol = 1e-6,
        .tolerance_transform = true,
        .controller = CRANK_CONTROL_PREDICTIVE,
        .control_rules = CRANK_RULES_RADAU5,
        .safety = 0.9,
        .growth_max = 8.0,
        .growth_min = 0.2,
        .keep_low = 1.0,
        .keep_high = 1.2,
        .newton_max = 10,
        .newton_start = CRANK_START_EXTRAPOLATE,
        .jacobian_reuse = 0.001,
        .algebraic = CRANK_ALGEBRAIC_AUTO,
        .differential = CRANK_DIFFERENTIAL_LU,
        .selector_update = CRANK_SELECTOR_ADAPTIVE,
        .selector_source = CRANK_SELECTOR_MASS,
        .baumgarte_alpha = 10.0,
        .baumgarte_beta = 10.0,
        .baumgarte_delta = 10.0,
        .linear_algebra = CRANK_LINALG_AUTO,
        .accelerations = CRANK_ACCELERATIONS_AUTO,
        .singular = CRANK_SINGULAR_STOP,
        .singular_threshold = 1e-3,
        .rank_tolerance = CRANK_RANK_TOLERANCE,
        .final_correction = true,
        .invariants = true,
        .check_initial = true,
        .rounding_unit = 1e-16,
        .failures_max = 20,
    };
}

crank_options crank_options_geoms(void)
{
    crank_options options = crank_options_default();
    options.control_rules = CRANK_RULES_PUBLISHED;
    options.failures_max = 5;
    options.algebraic = CRANK_ALGEBRAIC_LU;
    options.selector_source = CRANK_SELECTOR_NEWTON_MATRIX;
    options.linear_algebra = CRANK_LINALG_DENSE;
    options.accelerations = CRANK_ACCELERATIONS_ELIMINATE;
    options.final_correction = false;
    options.invariants = true;
    return options;
}

crank_status crank_options_set(crank_options *options, const char *name, const char *value,
                               crank_error *err)
{
    const option_field *field = find_field(name, err);
    if (field == NULL) {
        return CRANK_EARG;
    }
    double number = 0.0;
    const bool word = field->kind == OPTION_BOOL || field->kind == OPTION_ENUM;
    crank_status status = check_size(options, err);
    if (status == CRANK_OK) {
        status = word ? parse_word(field, value, &number, err)
                      : parse_number(field, value, &number, err);
    }
    if (status == CRANK_OK) {
        status = check_range(field, number, err);
    }
    if (status == CRANK_OK) {
        put_field(options, field, number);
    }
    return status;
}

crank_status crank_options_check(const crank_options *options, crank_error *err)
{
    crank_status status = check_size(options, err);
    for (int i = 0; i < FIELDS && status == CRANK_OK; i++) {
        status = check_range(&fields[i], get_field(options, &fields[i]), err);
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

crank_status crank_options_refuse(const crank_options *options, const char *const *names,
                                  const char *owner, crank_error *err)
{
    const crank_options defaults = crank_options_default();
    for (int i = 0; names[i] != NULL; i++) {
        const option_field *field = find_field(names[i], err);
        if (field == NULL) {
            return CRANK_EINTERNAL;
        }
        if (get_field(options, field) != get_field(&defaults, field)) {
            return crank_fail(err, CRANK_EREFUSED,
                              "%s has no option %s; leave it at its default", owner, names[i]);
        }
    }
    return CRANK_OK;
}

void crank_archive_check_options(crank_archive *a, const crank_options *options)
{
    for (int i = 0; i < FIELDS && crank_archive_fine(a); i++) {
        const option_field *field = &fields[i];
        const double here = get_field(options, field);
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
    if (i < 0 || i >= FIELDS) {
        return false;
    }
    const crank_options defaults = crank_options_default();
    const option_field *field = &fields[i];
    char admissible[160];
    char standard[CRANK_NUMBER_TEXT];
    describe_range(admissible, sizeof admissible, field);
    describe_value(standard, sizeof standard, field, get_field(&defaults, field));
    *name = field->name;
    *help = field->help;
    (void)snprintf(range, range_size, "%s, default %s", admissible, standard);
    return true;
}
