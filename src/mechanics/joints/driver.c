/* driver.c - a quantity prescribed in time: of - is(t) = 0. Its effort -lambda is a result, its power
 * -lambda is'(t) is supplied (energy.c). */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/joints/joint.h"

static const crank_key_spec keys[] = {
    {"of", CRANK_SHAPE_EXPRESSION, true, NULL,
     "what is driven: joint.j.angle, body.a.x or an expression of such positions"},
    {"is", CRANK_SHAPE_EXPRESSION, false, NULL, "its value, an expression of t"},
    {"table", CRANK_SHAPE_TABLE, false, NULL, "its value, from (t, value): a cubic spline"},
    CRANK_JOINT_END,
};

/* A table goes on straight beyond its ends, which is seldom what is meant. */
static void warn_beyond(const crank_mechanism *m, const crank_record *record,
                        const crank_table_data *table)
{
    const double first = table->x[0], last = table->x[table->rows - 1];
    if (first > m->simulate.t_start || last < m->simulate.t_end) {
        crank_log_write(
            &m->options->log, CRANK_WARNING,
            "joint \"%.80s\": its table is for t = %g to %g, the model's time is %g "
            "to %g; beyond its ends the table goes on straight",
            record->name, first, last, m->simulate.t_start, m->simulate.t_end);
    }
}

static crank_status build(crank_builder *b, const crank_record *record, crank_owner owner,
                          crank_error *err)
{
    const crank_field *of = crank_record_find(record, "of");
    const crank_field *is = crank_record_find(record, "is");
    const crank_field *table = crank_record_find(record, "table");
    if ((is == NULL) == (table == NULL)) {
        return crank_build_fail(record, is != NULL ? "table" : NULL, err,
                                "a driver needs one of `is` and `table`");
    }
    crank_ex quantity, value;
    crank_status status =
        crank_build_resolve(b, record, of, of->ex[0], 0, NULL, NULL, &quantity, err);
    if (status == CRANK_OK && is != NULL) {
        status = crank_build_resolve(b, record, is, is->ex[0], 0, NULL, NULL, &value, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    if (is == NULL) {
        warn_beyond(crank_build_mechanism(b), record, &table->table);
        value = crank_build_table(b, &table->table, crank_build_mechanism(b)->t);
    }
    return crank_joint_effort(b, record, owner,
                              crank_ex_sub(crank_build_pool(b), quantity, value), "drive", err);
}

const crank_joint_type crank_joint_driver = {
    {"driver", "prescribes a coordinate or a position as a function of time", keys, 5}, build};
