/* mechanism_settings.c - settings of the caller (--set name=value) that are not parameters or
 * inputs: start values of variables (charge, charge.start) and of bodies (body.rod.x). */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mechanism/mechanism_read.h"

#include "base/blame.h"
#include "base/suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

crank_status crank_settings_list(crank_reading *r)
{
    const crank_model_options *options = r->m->options;
    r->setting_used =
        crank_store_take(r->store, (size_t)options->setting_count, sizeof *r->setting_used);
    if (r->setting_used == NULL) {
        return crank_reading_no_memory(r);
    }
    for (int i = options->setting_count - 1; i >= 0; i--) { /* the last of equals counts */
        const char *name = options->settings[i].name;
        if (crank_index_find(&r->settings, name) >= 0) {
            r->setting_used[i] = true;
        } else if (!crank_index_add(&r->settings, r->store, name, i)) {
            return crank_reading_no_memory(r);
        }
    }
    return CRANK_OK;
}

/* where the start value of body.NAME.QUANTITY is kept, or NULL */
static double *find_body_start(crank_reading *r, const char *text)
{
    static const char *const spatial[] = {"x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"};
    static const char *const planar[] = {"x", "y", "angle", "vx", "vy", "rate"};
    const bool flat = r->m->dimension == 2;
    const char *const *quantities = flat ? planar : spatial;
    const int count = flat ? 6 : 9;
    const char *dot = strrchr(text, '.');
    if (strncmp(text, "body.", 5) != 0 || dot == NULL || dot < text + 5) {
        return NULL;
    }
    char name[512];
    (void)snprintf(name, sizeof name, "%.*s", (int)(dot - text) - 5, text + 5);
    const int body = crank_index_find(&r->items[CRANK_SECTION_BODIES].names, name);
    if (body < 0) {
        return NULL;
    }
    crank_body_record *b = &r->m->body[body];
    double *const of_spatial[] = {
        b->position,         b->position + 1,         b->position + 2,
        b->velocity,         b->velocity + 1,         b->velocity + 2,
        b->angular_velocity, b->angular_velocity + 1, b->angular_velocity + 2};
    double *const of_planar[] = {b->position, b->position + 1, &b->angle,
                                 b->velocity, b->velocity + 1, b->angular_velocity + 2};
    for (int i = 0; i < count; i++) {
        const bool turning = flat ? i == 2 || i == 5 : i >= 6;
        if (strcmp(quantities[i], dot + 1) == 0 && !(turning && b->point)) {
            const bool moving = i > 2;
            crank_fixing *fixing =
                turning  ? moving ? &b->angular_velocity_fixing : &b->orientation_fixing
                : moving ? &b->velocity_fixing
                         : &b->position_fixing;
            *fixing = *fixing == CRANK_FREE ? CRANK_PREFERRED : *fixing; /* given now */
            b->position_assumed = b->position_assumed && (moving || turning);
            b->orientation_assumed = b->orientation_assumed && (moving || !turning);
            return flat ? of_planar[i] : of_spatial[i];
        }
    }
    return NULL;
}

static double *find_variable_start(crank_reading *r, const char *text)
{
    const size_t length = strlen(text);
    char name[512];
    const bool suffix = length > 6 && strcmp(text + length - 6, ".start") == 0;
    (void)snprintf(name, sizeof name, "%.*s", (int)(suffix ? length - 6 : length), text);
    const int dynamic = crank_index_find(&r->items[CRANK_SECTION_DYNAMIC].names, name);
    if (dynamic >= 0) {
        return &r->m->dynamic[dynamic].start;
    }
    const int auxiliary = crank_index_find(&r->items[CRANK_SECTION_AUXILIARY].names, name);
    return auxiliary >= 0 ? &r->m->auxiliary[auxiliary].start : NULL;
}

static crank_status fail_setting(crank_reading *r, const char *name)
{
    const crank_items *dynamic = &r->items[CRANK_SECTION_DYNAMIC];
    const crank_items *auxiliary = &r->items[CRANK_SECTION_AUXILIARY];
    const size_t most =
        (size_t)r->given_count + (size_t)dynamic->count + (size_t)auxiliary->count + 1;
    const char **candidates = malloc(most * sizeof *candidates);
    int count = 0;
    for (int i = 0; candidates != NULL && i < r->given_count; i++) {
        if (r->given[i].kind <= CRANK_GIVEN_INPUT) {
            candidates[count++] = r->given[i].name;
        }
    }
    for (int i = 0; candidates != NULL && i < dynamic->count; i++) {
        candidates[count++] = dynamic->item[i].name;
    }
    for (int i = 0; candidates != NULL && i < auxiliary->count; i++) {
        candidates[count++] = auxiliary->item[i].name;
    }
    char near[128];
    crank_reading_near(near, sizeof near,
                       candidates != NULL ? crank_suggest(name, candidates, count) : NULL);
    free(candidates);
    return crank_blame_caller(
        r->err,
        crank_fail(r->err, CRANK_EMODEL,
                   "setting \"%.80s\": no parameter, variable or start value of a body has "
                   "this name%s",
                   name, near));
}

crank_status crank_settings_apply(crank_reading *r)
{
    const crank_model_options *options = r->m->options;
    for (int i = 0; i < options->setting_count; i++) {
        const crank_setting *setting = &options->settings[i];
        char object[128];
        (void)snprintf(object, sizeof object, "setting \"%.80s\"", setting->name);
        const crank_site site = {r, r->root, object, NULL};
        if (r->setting_used[i]) {
            continue;
        }
        double *start = find_variable_start(r, setting->name);
        start = start != NULL ? start : find_body_start(r, setting->name);
        if (start == NULL) {
            return fail_setting(r, setting->name);
        }
        const crank_status status = crank_scope_setting(&site, setting->value, start);
        if (status != CRANK_OK) {
            return crank_blame_caller(r->err, status);
        }
    }
    return CRANK_OK;
}
