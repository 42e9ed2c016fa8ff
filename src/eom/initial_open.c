/* initial_open.c - a mechanism whose loops cannot be closed: which joint of which loop, and how
 * far it is off.
 *
 * Where |F| is smallest the misfit of a loop is spread over its joints, and over those of other
 * loops if the search ended elsewhere. What is to blame shows when it is left out: then all
 * others close. So each joint (and each drive) that is open there is given little weight, which
 * moves the misfit to it, then left out, and the others are closed by (5.2). Joints that pass
 * are those of the loop that is wrong; the one that is open least is named, with the others. If
 * none passes from there the search for the others is made anew where the first one began. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "eom/initial.h"
#include "eom/structure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED = 4 };

/* of the widest gap: what is less is not open, up to what the search leaves */
static const double open_share = 1e-3;

/* of two gaps: equal ones are told apart by their order alone */
static const double clearly = 1.0 - 1e-3;

/* of the mechanism's length: a gap that is less comes of numbers with few digits, most likely */
static const double rounded_share = 1e-3;

/* rows of all steps, their powers 1.5: as long as a search takes */
static const double most_work = 1.2e6;

/* What may be left out. */
typedef struct suspect {
    crank_released part;
    crank_gap before; /* at the minimum */
    crank_gap gap;    /* while all others are closed */
    bool passes;
} suspect;

typedef struct open_search {
    suspect *suspect; /* 2 joints */
    crank_gap *gap;   /* joints */
    double *residual; /* lambda */
    int count;
    double work; /* left */
} open_search;

static double gap_size(const crank_initial *w, crank_gap gap)
{
    return hypot(gap.distance, w->eom->parts->length * gap.angle);
}

/* Gaps of joints at the point linearised last: of the drives alone, or of all else. */
static void measure_gaps(const crank_initial *w, bool drives, double *residual, crank_gap *gap)
{
    const crank_eom *eom = w->eom;
    for (int i = 0; i < eom->sizes.lambda; i++) {
        residual[i] = crank_initial_is_drive(eom, i) == drives
                          ? w->residual[eom->row[CRANK_ROW_G] + i]
                          : 0.0;
    }
    crank_structure_gaps(eom, w->values, residual, gap);
}

/* Of equal ones the last closes the loop. */
static int by_gap(const void *first, const void *second)
{
    const suspect *a = first, *b = second;
    const double one = hypot(a->before.distance, a->before.angle);
    const double other = hypot(b->before.distance, b->before.angle);
    const bool alike = fmin(one, other) >= clearly * fmax(one, other);
    return alike ? b->part.joint - a->part.joint : one < other ? 1 : -1;
}

/* What is open at w->x, the widest first; angles are kept as lengths meanwhile. */
static void list_suspects(const crank_initial *w, open_search *s)
{
    const crank_eom *eom = w->eom;
    double widest = 0.0;
    s->count = 0;
    for (int drives = 0; drives < 2; drives++) {
        measure_gaps(w, drives == 1, s->residual, s->gap);
        for (int i = 0; i < eom->parts->joint_count; i++) {
            const double size = gap_size(w, s->gap[i]);
            widest = fmax(widest, size);
            if (size > 0.0) {
                s->suspect[s->count++] =
                    (suspect){.part = {i, drives == 1}, .before = {.distance = size}};
            }
        }
    }
    int left = 0;
    for (int i = 0; i < s->count; i++) {
        if (s->suspect[i].before.distance > open_share * widest) {
            s->suspect[left++] = s->suspect[i];
        }
    }
    s->count = left;
    qsort(s->suspect, (size_t)s->count, sizeof *s->suspect, by_gap);
}

static void set_level(crank_initial *w, crank_released part, int level)
{
    for (int i = 0; i < w->eom->sizes.lambda; i++) {
        if (crank_initial_is_of(w->eom, part, i)) {
            w->level[w->eom->row[CRANK_ROW_G] + i] = level;
        }
    }
}

static void charge(const crank_initial *w, open_search *s, int before)
{
    s->work -= (w->iterations - before) * pow(w->rows, 1.5);
}

/* With the suspect left out, do the others close from w->x? Then that is as near to closed as
 * it comes. again: where that fails it is searched. */
static crank_status try_without(crank_initial *w, open_search *s, suspect *own, bool again,
                                crank_error *err)
{
    const int before = w->iterations;
    bool solved = false, moved;
    crank_stage_end end = CRANK_STAGE_SLOW;
    set_level(w, own->part, -1);
    crank_status status = again ? crank_initial_close(w, 0, &solved, err)
                                : crank_initial_solve(w, 0, &moved, &end, err);
    set_level(w, own->part, 0);
    solved = solved || end == CRANK_STAGE_SOLVED;
    CRANK_THEN(status, crank_initial_look(w, 0, err));
    if (status == CRANK_OK && solved) {
        measure_gaps(w, own->part.drive, s->residual, s->gap);
        own->gap = s->gap[own->part.joint];
        own->passes = true;
    }
    charge(w, s, before);
    return status;
}

/* The misfit moved to the suspect, from where it is now. */
static crank_status move_to(crank_initial *w, open_search *s, const suspect *own,
                            crank_error *err)
{
    const int before = w->iterations;
    crank_status status = crank_initial_look(w, 0, err);
    CRANK_THEN(status, crank_initial_open(w, own->part, err));
    charge(w, s, before);
    return status;
}

/* From the minimum w->found, or (again) from where the search began. */
static crank_status try_suspect(crank_initial *w, open_search *s, suspect *own, bool again,
                                crank_error *err)
{
    const size_t size = (size_t)w->eom->n * sizeof *w->x;
    crank_status status = CRANK_OK;
    own->passes = false;
    if (again) {
        memcpy(w->x, w->begin, size);
        status = try_without(w, s, own, true, err);
        if (!own->passes) {
            return status;
        }
        own->passes = false;
    } else {
        memcpy(w->x, w->found, size);
    }
    CRANK_THEN(status, move_to(w, s, own, err));
    CRANK_THEN(status, try_without(w, s, own, false, err));
    return status;
}

/* The number of suspects that pass. */
static crank_status try_all(crank_initial *w, open_search *s, bool again, int *passed,
                            crank_error *err)
{
    crank_status status = CRANK_OK;
    *passed = 0;
    s->work = most_work;
    for (int i = 0; i < s->count && status == CRANK_OK && s->work > 0.0; i++) {
        crank_error ignored = {0};
        status = try_suspect(w, s, &s->suspect[i], again, &ignored);
        *passed += status == CRANK_OK && s->suspect[i].passes ? 1 : 0;
        status = status == CRANK_EMEM ? crank_fail(err, status, "%s", ignored.text) : CRANK_OK;
    }
    return status;
}

/* Of those that pass the one that is open least; prescribing: of what makes no loop (drives,
 * drivers, gears, couplers), or of what does. */
static const suspect *least_open(const crank_initial *w, const open_search *s, bool prescribing)
{
    const suspect *least = NULL;
    for (int i = 0; i < s->count; i++) {
        const suspect *own = &s->suspect[i];
        const bool prescribes = own->part.drive || !w->eom->parts->joint_links[own->part.joint];
        if (own->passes && prescribes == prescribing &&
            (least == NULL || gap_size(w, own->gap) < clearly * gap_size(w, least->gap))) {
            least = own;
        }
    }
    return least;
}

/* ---- in words ---- */

/* before the text of a joint: drivers are nothing else than drives */
static const char *drive_of(const crank_initial *w, crank_released part)
{
    return part.drive && w->eom->parts->joint_links[part.joint] ? "the drive of " : "";
}

static crank_place place_of(const crank_initial *w, crank_released part)
{
    const crank_eom *eom = w->eom;
    int row = 0;
    while (eom->parts->constraint_joint[row] != part.joint ||
           crank_initial_is_drive(eom, row) != part.drive) {
        row++;
    }
    return crank_eom_row_place(eom, eom->row[CRANK_ROW_G] + row);
}

/* ' ; of the same loop: joint "b", joint "c"', or empty. */
static void list_loop(const crank_initial *w, const open_search *s, const suspect *named,
                      char *text, size_t size)
{
    int count = 0;
    text[0] = '\0';
    for (int i = 0; i < s->count; i++) {
        const suspect *own = &s->suspect[i];
        if (!own->passes || own == named || own->part.drive ||
            !w->eom->parts->joint_links[own->part.joint]) {
            continue;
        }
        const size_t used = strlen(text);
        if (count < LISTED) {
            (void)snprintf(text + used, size - used, "%s%.60s",
                           count == 0 ? "; of the same loop: " : ", ",
                           w->eom->parts->joint_text[own->part.joint]);
        } else if (count == LISTED) {
            (void)snprintf(text + used, size - used, ", ...");
        }
        count++;
    }
}

static crank_status tell(const crank_initial *w, const open_search *s, crank_error *err)
{
    const crank_eom_parts *parts = w->eom->parts;
    const suspect *joint = least_open(w, s, false), *other = least_open(w, s, true);
    char opening[80], off[80], loop[340] = "",
                               whose[240] = "the joint, the lengths of its loop";
    if (other != NULL) {
        (void)snprintf(whose, sizeof whose,
                       "what %s%.80s prescribes (without it all joints close, %s off)",
                       drive_of(w, other->part), parts->joint_text[other->part.joint],
                       crank_structure_gap_text(other->gap, parts->length, off, sizeof off));
    }
    const suspect *named = joint != NULL ? joint : other;
    const bool narrow = gap_size(w, named->gap) < rounded_share * parts->length;
    if (joint != NULL) {
        list_loop(w, s, joint, loop, sizeof loop);
    }
    return crank_fail_place(
        err, CRANK_EINIT_CONTRADICTION, place_of(w, named->part),
        "%s cannot be closed: it stays open by %s while the other joints are closed, no state "
        "was found in which all are%s; change %s, or the start values%s",
        parts->joint_text[named->part.joint],
        crank_structure_gap_text(named->gap, parts->length, opening, sizeof opening), loop,
        whose,
        narrow ? " (rounded numbers? joints that repeat others must agree exactly: sqrt(3)/2, "
                 "not 0.866; or take one that restricts less)"
               : "");
}

/* None passes: several are wrong. */
static crank_status tell_many(const crank_initial *w, const open_search *s, crank_error *err)
{
    const crank_eom_parts *parts = w->eom->parts;
    char text[400] = "", size[80];
    for (int i = 0; i < s->count && i < LISTED; i++) {
        const size_t used = strlen(text);
        const crank_released part = s->suspect[i].part;
        measure_gaps(w, part.drive, s->residual, s->gap);
        (void)snprintf(
            text + used, sizeof text - used, "%s%s%.60s by %s", i == 0 ? "" : ", ",
            drive_of(w, part), parts->joint_text[part.joint],
            crank_structure_gap_text(s->gap[part.joint], parts->length, size, sizeof size));
    }
    return crank_fail_place(
        err, CRANK_EINIT_CONTRADICTION, place_of(w, s->suspect[0].part),
        "joints cannot be closed, and no single one was found without which the others are; "
        "where the search came nearest open are %s%s; change lengths of their loops, or the "
        "start values",
        text, s->count > LISTED ? ", ..." : "");
}

crank_status crank_initial_open_loop(crank_initial *w, crank_error *err)
{
    const crank_eom *eom = w->eom;
    if (eom->parts == NULL || w->rows == 0 || w->level[w->row[0]] != 0) {
        return CRANK_OK;
    }
    const size_t joints = (size_t)eom->parts->joint_count + 1;
    open_search s = {.suspect = malloc(2 * joints * sizeof *s.suspect),
                     .gap = malloc(joints * sizeof *s.gap),
                     .residual = malloc(((size_t)eom->sizes.lambda + 1) * sizeof *s.residual)};
    int passed = 0;
    crank_status status = CRANK_OK;
    if (s.suspect == NULL || s.gap == NULL || s.residual == NULL) {
        status = crank_fail(err, CRANK_EMEM, "gaps of %d joints", eom->parts->joint_count);
    } else {
        memcpy(w->found, w->x, (size_t)eom->n * sizeof *w->x);
        list_suspects(w, &s);
        status = try_all(w, &s, false, &passed, err);
        if (status == CRANK_OK && passed == 0) {
            status = try_all(w, &s, true, &passed, err);
        }
        memcpy(w->x, w->found, (size_t)eom->n * sizeof *w->x);
        memcpy(w->stuck, w->found, (size_t)eom->n * sizeof *w->x);
        CRANK_THEN(status, crank_initial_look(w, 0, err));
    }
    if (status == CRANK_OK && s.count > 0) {
        status = passed > 0 ? tell(w, &s, err) : tell_many(w, &s, err);
    }
    free(s.suspect);
    free(s.gap);
    free(s.residual);
    return status;
}
