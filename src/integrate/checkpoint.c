/* checkpoint.c - an integration as bytes, and from them the same integration again.
 *
 * A checkpoint holds what the integrator, its method, the problem and the equations remember of
 * the run so far, and nothing that is made anew from the model, the options and the initial
 * values. Layout: magic, format, version, sizes, options, the mark of the start, the state of
 * each object, and a checksum over all of it at the end. */
// SPDX-License-Identifier: BSD-3-Clause
#include "integrate/events.h"
#include "integrate/features.h"
#include "integrate/switches.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* raised whenever the bytes of any object change their meaning */
enum { FORMAT = 16 };

static const char magic[16] = "crank state\r\n\032\n";

/* a number whose bytes tell the order of bytes, and the sizes of what is stored raw */
static void archive_machine(crank_archive *a)
{
    crank_archive_check(a, "format", FORMAT);
    crank_archive_check(a, "order of bytes", 0x0102030405060708);
    crank_archive_check(a, "size of int", sizeof(int));
    crank_archive_check(a, "size of the error record", sizeof(crank_error));
    crank_archive_check(a, "size of the statistics", sizeof(crank_statistics));
    crank_archive_check_text(a, "version", crank_version());
}

/* the start must be the saved run's: a model with other parameters differs there, with few
 * exceptions */
static void check_start(crank_integrator *it, crank_archive *a)
{
    uint64_t origin = it->origin;
    double t_end = it->t_end;
    crank_archive_bytes(a, &origin, sizeof origin);
    crank_archive_double(a, &t_end);
    if (!a->loading || !crank_archive_fine(a)) {
        return;
    }
    if (origin != it->origin) {
        crank_archive_fail(
            a, CRANK_EFILE,
            "the model or its initial values differ from those of the checkpoint");
    } else if (!(t_end == it->t_end)) {
        crank_archive_fail(a, CRANK_EFILE,
                           "the run of the checkpoint ends at t = %.17g, this one at %.17g",
                           t_end, it->t_end);
    }
}

static void archive_integrator(crank_integrator *it, crank_archive *a)
{
    /* other unknowns */
    static const char *const coordinates[] = {"default", "absolute", "joint", "auto"};
    const size_t n = (size_t)it->n;
    int stopped = it->stopped;
    crank_archive_check_text(a, "integrator", it->method->name);
    crank_archive_check_text(a, "formulation", it->problem->name);
    crank_archive_check_text(a, "coordinates", coordinates[it->options.coordinates]);
    crank_archive_check(a, "unknowns", it->n);
    crank_archive_check(a, "rows", it->m);
    crank_archive_check_options(a, &it->options);
    check_start(it, a);
    crank_archive_statistics(a, &it->statistics);
    crank_archive_flag(a, &it->jumped);
    crank_archive_count(a, &it->attempts);
    crank_archive_flag(a, &it->rejected);
    crank_archive_int(a, &it->failures, 0, INT_MAX / 2);
    crank_archive_int(a, &it->stuck, 0, INT_MAX / 2);
    crank_archive_double(a, &it->h_first);
    crank_archive_int(a, &it->jumping, -1, it->n - 1);
    crank_archive_double(a, &it->t_looked);
    crank_archive_doubles(a, it->ends_looked, 2);
    crank_archive_flag(a, &it->ends_stiff);
    crank_archive_double(a, &it->t_bound);
    crank_switches_archive(it, a);
    crank_features_archive(it, a);
    crank_archive_error(a, &it->outside);
    crank_archive_error(a, &it->stop_reason);
    crank_archive_int(a, &stopped, CRANK_EEVENTS, CRANK_RETRY);
    it->stopped = (crank_status)stopped;
    crank_archive_double(a, &it->t);
    crank_archive_double(a, &it->t_old);
    crank_archive_double(a, &it->h);
    crank_archive_double(a, &it->last_error);
    crank_archive_doubles(a, it->x, n);
    crank_archive_flag(a, &it->shown->known);
    if (it->problem->unknowns != NULL && it->shown->known) {
        crank_archive_doubles(a, it->given, (size_t)it->problem->unknowns->count);
    }
    crank_archive_doubles(a, it->rtol, n);
    crank_archive_doubles(a, it->atol, n);
    crank_archive_doubles(a, it->rtol_used, n);
    crank_archive_doubles(a, it->atol_used, n);
    crank_archive_double(a, &it->time);
    crank_archive_doubles(a, it->scale, n);
    crank_events_archive(it, a);
    it->method->archive(it, a);
    crank_archive_check(a, "problem", it->problem->n);
    it->problem->archive(it->problem, a);
    crank_archive_check(a, "end", 0);
}

static crank_status check_ready(const crank_integrator *it, crank_error *err)
{
    if (!it->started) {
        return crank_fail(err, CRANK_EARG, "crank_integrator_start was not called");
    }
    return it->problem->archive != NULL && it->method->archive != NULL
               ? CRANK_OK
               : crank_fail(err, CRANK_EARG,
                            "runs with formulation %s and integrator %s cannot be saved",
                            it->problem->name, it->method->name);
}

crank_status crank_integrator_save(crank_integrator *it, void **data, size_t *size,
                                   crank_error *err)
{
    *data = NULL;
    *size = 0;
    const crank_status status = check_ready(it, err);
    if (status != CRANK_OK) {
        return status;
    }
    crank_archive a = crank_archive_saving();
    char mark[sizeof magic];
    memcpy(mark, magic, sizeof magic);
    crank_archive_bytes(&a, mark, sizeof mark);
    archive_machine(&a);
    archive_integrator(it, &a);
    uint64_t sum = crank_hash(CRANK_HASH_START, a.made, a.used);
    crank_archive_bytes(&a, &sum, sizeof sum);
    if (!crank_archive_fine(&a)) {
        const crank_status failed = crank_fail(err, a.error.status, "%s", a.error.text);
        crank_archive_free(&a);
        return failed;
    }
    *data = a.made; /* with some room behind it, which the caller frees, too */
    *size = a.used;
    return CRANK_OK;
}

/* magic and checksum; *length: what lies before the latter */
static crank_status check_whole(const unsigned char *data, size_t size, size_t *length,
                                crank_error *err)
{
    uint64_t sum = 0;
    *length = size - sizeof sum;
    if (size < sizeof magic || memcmp(data, magic, sizeof magic) != 0) {
        return crank_fail(err, CRANK_EFILE, "this is not a checkpoint of crank");
    }
    if (size < sizeof magic + sizeof sum) {
        return crank_fail(err, CRANK_EFILE, "the checkpoint is cut short");
    }
    memcpy(&sum, data + *length, sizeof sum);
    return crank_hash(CRANK_HASH_START, data, *length) == sum
               ? CRANK_OK
               : crank_fail(err, CRANK_EFILE,
                            "the checkpoint is damaged or cut short: its checksum is wrong");
}

crank_status crank_integrator_load(crank_integrator *it, const void *data, size_t size,
                                   crank_error *err)
{
    size_t length = 0;
    crank_status status = check_ready(it, err);
    if (status == CRANK_OK) {
        status = check_whole(data, size, &length, err);
    }
    if (status != CRANK_OK) {
        return status;
    }
    crank_archive a = crank_archive_loading(data, length);
    a.used = sizeof magic;
    archive_machine(&a);
    archive_integrator(it, &a);
    if (crank_archive_fine(&a) && a.used != length) {
        crank_archive_fail(&a, CRANK_EFILE, "the checkpoint is damaged: it is too long");
    }
    return crank_archive_fine(&a) ? CRANK_OK
                                  : crank_fail(err, a.error.status, "%s", a.error.text);
}
