/* read_mechanism.h - mechanism files from strings, with a few types of joints and forces of the
 * tests' own. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_TESTS_READ_MECHANISM_H
#define CRANK_TESTS_READ_MECHANISM_H

#include "check.h"
#include "model/yaml.h"

#include "model/mechanism/mechanism.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// clang-format off
#define END_OF_KEYS {NULL, CRANK_SHAPE_NUMBER, false, NULL, NULL}
static const crank_key_spec revolute_keys[] = {
    {"between", CRANK_SHAPE_BODIES, true, NULL, "the bodies"},
    {"at", CRANK_SHAPE_END, true, NULL, "where"},
    {"axis", CRANK_SHAPE_AXIS, false, NULL, "about which it turns"},
    {"drive", CRANK_SHAPE_EXPRESSION, false, NULL, "angle"},
    END_OF_KEYS};
static const crank_key_spec universal_keys[] = {
    {"between", CRANK_SHAPE_BODIES, true, NULL, "the bodies"},
    {"axes", CRANK_SHAPE_DIRECTIONS, true, NULL, "both"},
    END_OF_KEYS};
static const crank_key_spec gear_keys[] = {
    {"joints", CRANK_SHAPE_JOINTS, true, NULL, "joints"},
    {"factors", CRANK_SHAPE_NUMBERS, false, NULL, "factors"},
    {"lead", CRANK_SHAPE_JOINT, false, NULL, "one"},
    END_OF_KEYS};
static const crank_key_spec rolling_keys[] = {
    {"between", CRANK_SHAPE_BODIES, true, NULL, "the bodies"},
    {"plane", CRANK_SHAPE_PLANE, false, NULL, "on which it rolls"},
    {"normal", CRANK_SHAPE_DIRECTION, false, NULL, "a direction"},
    {"curve", CRANK_SHAPE_EXPRESSIONS, false, "s", "x(s), y(s), z(s)"},
    {"profiles", CRANK_SHAPE_CURVES, false, "s1|s2", "two curves"},
    END_OF_KEYS};
static const crank_key_spec spring_keys[] = {
    {"between", CRANK_SHAPE_BODIES, true, NULL, "the bodies"},
    {"at", CRANK_SHAPE_ENDS, false, NULL, "where"},
    {"stiffness", CRANK_SHAPE_NUMBER, false, NULL, "stiffness"},
    {"law", CRANK_SHAPE_EXPRESSION, false, "length|rate", "tension"},
    {"table", CRANK_SHAPE_TABLE, false, "monotone|hold", "tension by length"},
    {"orientation", CRANK_SHAPE_ORIENTATION, false, NULL, "axes"},
    END_OF_KEYS};
static const crank_key_spec force_keys[] = {
    {"body", CRANK_SHAPE_BODY, true, NULL, "on which it acts"},
    {"at", CRANK_SHAPE_POINT, false, NULL, "where"},
    {"force", CRANK_SHAPE_EXPRESSIONS, false, NULL, "components"},
    {"offset", CRANK_SHAPE_VECTOR, false, NULL, "components"},
    {"axes", CRANK_SHAPE_WORD, false, "world|body", "of the components"},
    {"lift", CRANK_SHAPE_FLAG, false, NULL, "may lift off"},
    {"order", CRANK_SHAPE_WHOLE, false, NULL, "whole number"},
    END_OF_KEYS};
static const crank_record_type revolute_type = {"revolute", "hinge", revolute_keys, 5};
static const crank_record_type universal_type = {"universal", "cross", universal_keys, 3};
static const crank_record_type profile_type = {"profile", "planar contact", rolling_keys, 2};
static const crank_record_type rolling_type = {"rolling", "contact", rolling_keys, 3};
static const crank_record_type gear_type = {"gear", "gear", gear_keys, 5};
static const crank_record_type spring_type = {"spring", "spring", spring_keys, 5};
static const crank_record_type force_type = {"force", "force", force_keys, 5};
static const crank_record_type *const sample_joints[] = {&revolute_type, &universal_type,
 &profile_type,
                                                         &rolling_type, &gear_type, NULL};
static const crank_record_type *const sample_forces[] = {&spring_type, &force_type, NULL};
// clang-format on

typedef struct sample {
    crank_store store;
    crank_files files;
    crank_model_options options;
    crank_document document;
    crank_mechanism m;
    crank_error err;
} sample;

static inline crank_status read_sample(sample *s, const char *text, const char *path,
                                       int settings, const crank_setting *setting)
{
    *s = (sample){.options = {.size = sizeof s->options}};
    s->options.settings = setting;
    s->options.setting_count = settings;
    s->m = (crank_mechanism){.store = &s->store,
                             .pool = crank_pool_create(),
                             .files = &s->files,
                             .options = &s->options};
    assert_non_null(s->m.pool);
    crank_status status = crank_yaml_read(text, strlen(text), &s->store, &s->document, &s->err);
    if (status == CRANK_OK) {
        status = crank_mechanism_read(&s->m, &s->document, path, sample_joints, sample_forces,
                                      &s->err);
    }
    return status;
}

static inline void free_sample(sample *s)
{
    crank_pool_destroy(s->m.pool);
    crank_store_free(&s->files.store);
    crank_store_free(&s->store);
}

/* A text that must be read. */
static inline sample *read_mechanism_at(const char *text, const char *path)
{
    sample *s = malloc(sizeof *s);
    assert_non_null(s);
    const crank_status status = read_sample(s, text, path, 0, NULL);
    CHECK_OK(status, s->err);
    return s;
}

static inline sample *read_mechanism(const char *text)
{
    return read_mechanism_at(text, NULL);
}

static inline void release(sample *s)
{
    free_sample(s);
    free(s);
}

/* A text that must be refused, with place and message. */
static inline void refuse_at(const char *text, const char *path, const char *file, int line,
                             int column, const char *message)
{
    sample s;
    const crank_status status = read_sample(&s, text, path, 0, NULL);
    if (status == CRANK_OK || s.err.line != line || s.err.column != column ||
        strcmp(s.err.text, message) != 0 || strcmp(s.err.file, file) != 0) {
        print_error("expected %s:%d:%d: %s\ngot      %s:%d:%d: %s (%s)\nfor\n%s\n", file, line,
                    column, message, s.err.file, s.err.line, s.err.column, s.err.text,
                    crank_status_name(status), text);
        fail();
    }
    free_sample(&s);
}

static inline void refuse(const char *text, int line, int column, const char *message)
{
    refuse_at(text, NULL, "", line, column, message);
}

/* The text of an expression. */
static inline void check_ex(const sample *s, crank_ex ex, const char *expected)
{
    char text[400];
    (void)crank_ex_print(s->m.pool, ex, text, sizeof text);
    assert_string_equal(text, expected);
}

static inline int body_index(const sample *s, const char *name)
{
    for (int i = 0; i < s->m.body_count; i++) {
        if (strcmp(s->m.body[i].name, name) == 0) {
            return i;
        }
    }
    print_error("no body %s\n", name);
    fail();
    return -1;
}

#endif
