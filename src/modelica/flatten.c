/* flatten.c - see modelica.h and flatten.h: the model is found, its components are elaborated,
 * declared, and their equations written. */
// SPDX-License-Identifier: BSD-3-Clause
#include "modelica/flatten.h"

#include "base/blame.h"
#include "base/suggest.h"

#include <stdarg.h>
#include <string.h>

/* ---- errors, depth, memory ---- */

crank_status crank_mo_fail_at(crank_mo_flattener *f, crank_mo_place place, const char *format,
                              ...)
{
    if (f->status == CRANK_OK && crank_pool_status(f->pool) != CRANK_OK) {
        crank_mo_fail_memory(f); /* expressions are not what they should be */
    }
    if (f->status == CRANK_OK) {
        va_list arguments;
        va_start(arguments, format);
        f->status = crank_fail_in(f->err, CRANK_EMODEL, NULL, place.line, place.column, format,
                                  arguments);
        va_end(arguments);
    }
    return f->status;
}

void crank_mo_fail_memory(crank_mo_flattener *f)
{
    if (f->status == CRANK_OK) {
        f->status = crank_fail(f->err, CRANK_EMEM, "flattening the model");
    }
}

bool crank_mo_ok(const crank_mo_flattener *f)
{
    return f->status == CRANK_OK;
}

bool crank_mo_go_down(crank_mo_flattener *f, crank_mo_place place, const char *what)
{
    if (++f->depth > CRANK_MO_NESTING) {
        (void)crank_mo_fail_at(f, place, "%s nested more than %d deep", what, CRANK_MO_NESTING);
    }
    return crank_mo_ok(f);
}

void *crank_mo_new(crank_mo_flattener *f, size_t count, size_t size)
{
    void *memory = crank_mo_ok(f) ? crank_store_take(f->store, count, size) : NULL;
    if (memory == NULL) {
        crank_mo_fail_memory(f);
    }
    return memory;
}

/* ---- the model ---- */

static bool is_model(const crank_mo_class *c)
{
    return !c->partial && !c->is_short &&
           (c->restriction == CRANK_MO_MODEL || c->restriction == CRANK_MO_BLOCK ||
            c->restriction == CRANK_MO_CLASS);
}

/* the last model among the first elements of a file, or of its last package */
static const crank_mo_class *last_model(const crank_mo_class *c, int count, int depth)
{
    for (int i = count - 1; i >= 0 && depth < CRANK_MO_NESTING; i--) {
        const crank_mo_class *nested = c->element[i]->nested;
        if (c->element[i]->kind == CRANK_MO_NESTED && is_model(nested)) {
            return nested;
        }
        const crank_mo_class *inner =
            c->element[i]->kind == CRANK_MO_NESTED && nested->restriction == CRANK_MO_PACKAGE
                ? last_model(nested, nested->element_count, depth + 1)
                : NULL;
        if (inner != NULL) {
            return inner;
        }
    }
    return NULL;
}

/* "Package.Model", part by part; quoted names contain no dots that count */
static const crank_mo_class *named_model(crank_mo_flattener *f, const char *name)
{
    const crank_mo_class *c = f->file->root;
    while (c != NULL && *name != '\0') {
        const char *end = name;
        while (*end != '\0' && *end != '.') {
            end += *end == '\'' && strchr(end + 1, '\'') != NULL
                       ? strchr(end + 1, '\'') - end + 1
                       : 1;
        }
        const char *part = crank_store_copy(f->store, name, (size_t)(end - name));
        if (part == NULL) {
            crank_mo_fail_memory(f);
            return NULL;
        }
        c = crank_mo_class_in(f, c, part);
        name = *end == '.' ? end + 1 : end;
    }
    return c;
}

static const crank_mo_class *find_model(crank_mo_flattener *f)
{
    const char *name = f->options->model != NULL ? f->options->model : f->file->own;
    const crank_mo_class *root = f->file->root;
    const crank_mo_class *c =
        name != NULL
            ? named_model(f, name)
            : last_model(root, f->file->count > 0 ? f->file->own_count : root->element_count,
                         0);
    if (f->options->model == NULL && name != NULL && c != NULL && !is_model(c)) {
        c = last_model(c, c->element_count, 0);
    }
    if (!crank_mo_ok(f)) {
        return NULL;
    }
    if (c == NULL && name != NULL) {
        f->status = crank_blame_caller(
            f->err, crank_fail(f->err, CRANK_EMODEL,
                               "there is no model \"%.120s\" in this file", name));
    } else if (c == NULL) {
        f->status = crank_fail(f->err, CRANK_EMODEL, "there is no model in this file");
    } else if (!is_model(c)) {
        f->status = crank_blame_caller(
            f->err,
            crank_fail(f->err, CRANK_EMODEL, "\"%.120s\" is %s, and a model or block is wanted",
                       name, c->partial ? "partial" : "another kind of class"));
        c = NULL;
    }
    return c;
}

/* ---- annotation(experiment(StopTime = 1)) ---- */

static void read_experiment(crank_mo_flattener *f, const crank_mo_class *c)
{
    const struct {
        const char *name;
        double *value;
    } fields[] = {{"StartTime", &f->flat->t_start},
                  {"StopTime", &f->flat->t_end},
                  {"Interval", &f->flat->interval},
                  {"Tolerance", &f->flat->tolerance}};
    const crank_mo_scope scope = {.lexical = c};
    for (int i = 0; c->annotation != NULL && i < c->annotation->count; i++) {
        const crank_mo_argument *a = c->annotation->argument[i];
        if (strcmp(a->name, "experiment") != 0 || a->modification == NULL) {
            continue;
        }
        for (int k = 0; k < a->modification->count && crank_mo_ok(f); k++) {
            const crank_mo_argument *b = a->modification->argument[k];
            for (size_t n = 0; n < sizeof fields / sizeof *fields; n++) {
                if (strcmp(b->name, fields[n].name) != 0 || b->modification == NULL ||
                    b->modification->value == NULL) {
                    continue;
                }
                const crank_mo_value v = crank_mo_translate(f, &scope, b->modification->value);
                if (crank_mo_ok(f) && (v.ex == NULL || v.rank > 0 ||
                                       !crank_mo_number_of(f, v.ex[0], fields[n].value))) {
                    (void)crank_mo_fail_at(f, b->place, "experiment, %s: no number", b->name);
                }
            }
        }
    }
}

/* ---- the end ---- */

/* numbers of all parameters; which are structural is known by now */
static void write_numbers(crank_mo_flattener *f)
{
    crank_flat *flat = f->flat;
    int entry;
    for (int i = 0; i < flat->parameter_count; i++) {
        flat->parameter[i].structural =
            crank_mo_owner_of(f, flat->parameter[i].symbol, &entry)->structural;
    }
    for (int i = 0; i < flat->parameter_count && crank_mo_ok(f); i++) {
        crank_flat_parameter *p = &flat->parameter[i];
        if (!crank_mo_number_of(f, p->symbol, &p->number) && crank_mo_ok(f)) {
            (void)crank_mo_fail_at(f, (crank_mo_place){p->place.line, p->place.column},
                                   "parameter \"%.80s\" has no finite value", p->name);
        }
    }
}

static void check_settings(crank_mo_flattener *f)
{
    for (int k = 0; k < f->options->setting_count && crank_mo_ok(f); k++) {
        if (f->setting_used[k]) {
            continue;
        }
        const char *name = f->options->setting[k].name;
        const size_t count = (size_t)f->flat->parameter_count + (size_t)f->flat->variable_count;
        const char **names = crank_mo_new(f, count, sizeof *names);
        if (names == NULL) {
            return;
        }
        for (int i = 0; i < f->flat->parameter_count; i++) {
            names[i] = f->flat->parameter[i].name;
        }
        for (int i = 0; i < f->flat->variable_count; i++) {
            names[f->flat->parameter_count + i] = f->flat->variable[i].name;
        }
        const char *near = crank_suggest(name, names, (int)count);
        f->status = crank_blame_caller(
            f->err,
            crank_fail(f->err, CRANK_EMODEL,
                       "setting \"%.80s\": no parameter or variable has this name%s%s%s", name,
                       near != NULL ? "; did you mean \"" : "", near != NULL ? near : "",
                       near != NULL ? "\"?" : ""));
    }
}

static void flatten(crank_mo_flattener *f)
{
    const crank_mo_class *c = find_model(f);
    if (c == NULL) {
        return;
    }
    f->flat->file_count = f->file->count;
    f->flat->file = f->file->name;
    f->flat->name = crank_mo_class_name(f, c);
    f->flat->title = c->comment != NULL ? c->comment : f->flat->name;
    read_experiment(f, c);
    f->root = crank_mo_instance_make(f, NULL, c, NULL, "");
    if (f->root == NULL) {
        return;
    }
    crank_mo_declare(f, f->root);
    f->in_equations = f->in_model = true;
    crank_mo_write_equations(f, f->root);
    f->in_equations = f->in_model = false;
    if (crank_mo_ok(f)) {
        crank_mo_write_connections(f);
    }
    if (crank_mo_ok(f)) {
        crank_mo_hold_inputs(f);
    }
    crank_mo_start_discrete(f);
    crank_mo_write_relations(f);
    if (crank_mo_ok(f)) {
        write_numbers(f);
    }
    check_settings(f);
}

crank_status crank_mo_flatten(const crank_mo_file *file, const crank_mo_options *options,
                              crank_flat *flat, crank_error *err)
{
    crank_status status = crank_flat_init(flat, err);
    if (status != CRANK_OK) {
        return status;
    }
    crank_mo_flattener f = {.store = &flat->store,
                            .flat = flat,
                            .pool = flat->pool,
                            .file = file,
                            .options = options,
                            .err = err,
                            .work_most = options->work > 0 ? options->work : CRANK_MO_WORK,
                            .guard = -1,
                            .at_end = -1,
                            .origin = ""};
    f.setting_used = crank_mo_new(&f, (size_t)options->setting_count, sizeof *f.setting_used);
    if (crank_mo_ok(&f)) {
        flatten(&f);
    }
    return f.status != CRANK_OK ? f.status : crank_flat_status(flat, err);
}
