/* saving.c - checkpoints of a running simulation: when they are due, what goes in, and back
 * from one.
 *
 * The rows that a checkpoint counts have reached the disk before it does, so whatever stops the
 * machine, the checkpoint and the result fit together. */
// SPDX-License-Identifier: BSD-3-Clause
#include "simulation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double default_period = 60.0; /* s */

static crank_status note_file(checkpoint *c, const char *path, crank_error *err)
{
    checkpoint_file *file = &c->file[c->file_count];

    file->path = strdup(path);
    if (file->path == NULL) {
        return crank_fail(err, CRANK_EMEM, "checkpoint");
    }
    c->file_count++;
    return checkpoint_file_read(file, err);
}

static crank_status note_files(checkpoint *c, const session *s, crank_error *err)
{
    const char *name = NULL;
    size_t count = 1;

    while (crank_model_file(s->model, (int)count - 1) != NULL) {
        count++;
    }
    c->file = calloc(count, sizeof *c->file);
    if (c->file == NULL) {
        return crank_fail(err, CRANK_EMEM, "checkpoint");
    }
    crank_status status = note_file(c, s->path, err);
    for (int i = 0; status == CRANK_OK && (name = crank_model_file(s->model, i)) != NULL; i++) {
        status = note_file(c, name, err);
    }
    return status;
}

static crank_status note_call(checkpoint *c, const run_arguments *a, crank_error *err)
{
    c->version = strdup(crank_version());
    c->program = checkpoint_program();
    c->directory = getcwd(NULL, 0);
    c->argument = calloc((size_t)a->argc + 1, sizeof *c->argument);
    bool good = c->version != NULL && c->directory != NULL && c->argument != NULL;
    for (int i = 0; i < a->argc && good; i++) {
        c->argument[i] = strdup(a->argv[i]);
        c->argument_count++;
        good = c->argument[i] != NULL;
    }
    return good ? CRANK_OK : crank_fail(err, CRANK_EMEM, "checkpoint");
}

int saving_prepare(simulation *r)
{
    session *s = &r->session;
    crank_error err = {0};

    if (r->arguments->checkpoint == NULL) {
        return -1;
    }
    crank_status status = note_call(&r->saved, r->arguments, &err);
    THEN(status, note_files(&r->saved, s, &err));
    if (status != CRANK_OK) {
        tell_error(&s->messages, "--checkpoint: %s", err.text);
        return status == CRANK_EMEM ? CODE_FAILED : CODE_USAGE;
    }
    return -1;
}

static double period(const simulation *r)
{
    const double every = r->arguments->checkpoint_every;

    return every >= 0.0 ? every : default_period;
}

crank_status saving_write(simulation *r, crank_error *err)
{
    checkpoint *c = &r->saved;
    void *data = NULL;
    size_t size = 0;

    crank_status status = crank_recorder_flush(r->rows.recorder, true, err);
    THEN(status,
         crank_integrator_save(crank_run_integrator(r->session.run), &data, &size, err));
    if (status == CRANK_OK) {
        c->n = r->session.n;
        memcpy(&c->x, &r->session.x, sizeof c->x); /* lent */
        c->t_reached = crank_run_reached(r->session.run);
        c->seconds = clock_seconds() - r->began;
        c->row_count = crank_recorder_rows(r->rows.recorder);
        c->mark = crank_recorder_mark(r->rows.recorder);
        c->rows = r->rows.state;
        c->next_row = r->rows.due.next;
        c->event_count = r->events.count;
        c->happened = r->events.happened; /* lent */
        c->told = r->events.told;
        c->data = data;
        c->size = (int64_t)size;
        status = checkpoint_write(c, r->arguments->checkpoint, err);
        c->x = NULL;
        c->happened = NULL;
        c->data = NULL;
    }
    free(data);
    r->save_due = clock_seconds() + period(r);
    return status;
}

crank_status saving_poll(simulation *r, crank_error *err)
{
    messages *m = &r->session.messages;

    if (clock_seconds() < r->save_due) {
        return CRANK_OK;
    }
    const crank_status status = saving_write(r, err);
    if (status == CRANK_EFILE &&
        crank_recorder_flush(r->rows.recorder, false, NULL) == CRANK_OK) {
        if (!r->save_failed) { /* once, until one can be written again */
            m->warnings++;
            tell_error(m, "warning: %s; the checkpoint before stays", err->text);
        }
        r->save_failed = true;
        return CRANK_OK;
    }
    r->save_failed = false;
    return status;
}

crank_status saving_restore(simulation *r, crank_error *err)
{
    const checkpoint *c = r->resumed;
    const session *s = &r->session;
    const rows_energy found = r->rows.state.energy;
    rows_energy *energy = &r->rows.state.energy;

    if (c->event_count != r->events.count) {
        return crank_fail(err, CRANK_EFILE,
                          "the checkpoint holds %lld events, the model has %d",
                          (long long)c->event_count, r->events.count);
    }
    memcpy(r->events.happened, c->happened, (size_t)c->event_count * sizeof *c->happened);
    r->events.told = c->told;
    r->rows.kept = c->mark;
    const crank_status status = crank_run_load(s->run, c->data, (size_t)c->size, err);
    r->rows.state = c->rows;
    r->rows.due.next = c->next_row;
    energy->kinetic = found.kinetic; /* columns are those of the model */
    energy->potential = found.potential;
    energy->dissipated = found.dissipated;
    energy->supplied = found.supplied;
    r->save_due = clock_seconds() + period(r);
    return status;
}

void saving_remove(simulation *r)
{
    if (r->arguments->checkpoint != NULL) {
        checkpoint_remove(r->arguments->checkpoint);
    }
}
