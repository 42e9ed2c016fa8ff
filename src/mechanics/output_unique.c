/* output_unique.c - outputs that read reactions which redundant constraints leave open, told by
 * name when a model is made.
 *
 * Multipliers are determined up to null vectors nu of W^T, theory (7.25). An output y is unique
 * iff y(nu) = y(0), the rest of the state unchanged; that they differ is more than rounding
 * where it is visible beside y(mu) - y(0), multipliers mu of the same size that are no null
 * vector: that is how large the terms are of which y(nu) - y(0) is the sum. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/build_inside.h"
#include "mechanics/output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAMED = 3, TEXT = 300 };

static const double vanishing = 1e-7; /* of the terms of a sum: rounding */

/* values of the outputs with these multipliers (NULL: zero) */
static void evaluate(crank_output_set *set, crank_system *s, double t, double *point,
                     const double *multiplier, double *out)
{
    const crank_eom *eom = s->eom;
    const size_t count = (size_t)eom->sizes.lambda + (size_t)eom->sizes.mu;
    double *part = point + eom->column[CRANK_LAMBDA];
    if (multiplier != NULL) {
        memcpy(part, multiplier, count * sizeof *part);
    } else {
        memset(part, 0, count * sizeof *part);
    }
    crank_system_point(s, t, point);
    crank_expressions_evaluate(set->expression, s, t, point, set->value);
    memcpy(out, set->value + set->named_count, (size_t)set->output_count * sizeof *out);
}

static void tell(const crank_mechanism *m, int count, const bool *open)
{
    char text[TEXT] = "";
    size_t used = 0;
    int found = 0;
    for (int i = 0; i < count; i++) {
        if (open[i] && found++ < NAMED && used < sizeof text) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s\"%.60s\"",
                                     found > 1 ? ", " : "", m->output[i].name);
        }
    }
    if (found > NAMED && used < sizeof text) {
        (void)snprintf(text + used, sizeof text - used, " and %d more", found - NAMED);
    }
    if (found > 0) {
        crank_log_write(&m->options->log, CRANK_WARNING,
                        "output%s %s read%s reactions that redundant constraints leave open: "
                        "what is shown is the share of least norm; columns "
                        "joint.NAME.unique.fx ... tell what is unique",
                        found > 1 ? "s" : "", text, found > 1 ? "" : "s");
    }
}

crank_status crank_output_warn_open(crank_output_set *set, crank_builder *b, crank_system *s,
                                    double t, const double *x, crank_error *err)
{
    const size_t count = (size_t)set->output_count, n = (size_t)s->eom->n;
    const size_t rows = (size_t)s->eom->sizes.lambda + (size_t)s->eom->sizes.mu;
    bool degenerate = false;
    if (count == 0 || b->mechanism->options->log.write == NULL) {
        return CRANK_OK;
    }
    /* at a singular position they are not redundant */
    const crank_status status = crank_eom_degenerate(s->eom, t, x, &degenerate, NULL, 0, err);
    if (status != CRANK_OK || degenerate) {
        return status == CRANK_EMEM ? status : CRANK_OK;
    }
    double *point = crank_store_take(b->store, n, sizeof *point);
    double *sample = crank_store_take(b->store, 2 * rows, sizeof *sample);
    double *value = crank_store_take(b->store, 3 * count, sizeof *value);
    bool *open = crank_store_take(b->store, count, sizeof *open);
    if (b->store->failed) {
        return crank_fail(err, CRANK_EMEM, "uniqueness of outputs");
    }
    memcpy(point, x, n * sizeof *point);
    crank_uniqueness_samples(set->uniqueness, sample, sample + rows);
    evaluate(set, s, t, point, NULL, value);
    evaluate(set, s, t, point, sample, value + count);
    evaluate(set, s, t, point, sample + rows, value + 2 * count);
    for (size_t i = 0; i < count; i++) {
        const double change = fabs(value[count + i] - value[i]);
        const double size = fabs(value[2 * count + i] - value[i]);
        open[i] = change > vanishing * size;
    }
    tell(b->mechanism, set->output_count, open);
    return CRANK_OK;
}
