/* netcdf_study.c - reads a study, as crank sweep writes it: a row a member, why members ended,
 * and what was kept over time of each. */
// SPDX-License-Identifier: BSD-3-Clause
#include "results/netcdf_reader.h"

#include "base/then.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_REASON = 1 << 16 };

static crank_status no_memory(const crank_netcdf_reader *r, crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "%.200s: a study of %llu members", r->path,
                      (unsigned long long)r->rows);
}

/* The lengths of an array with two axes, the first over the members; false: it is none. */
static bool is_double_array(const crank_netcdf_reader *r, hid_t set, H5T_class_t wanted,
                            hsize_t size[2])
{
    const hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    const bool good = H5Sget_simple_extent_ndims(space) == 2 &&
                      H5Sget_simple_extent_dims(space, size, NULL) == 2 &&
                      H5Tget_class(type) == wanted && size[0] == r->rows &&
                      crank_netcdf_is_over(r, set);
    (void)H5Tclose(type);
    (void)H5Sclose(space);
    return good;
}

/* ---- reasons ---- */

static crank_status take_reasons(const crank_netcdf_reader *r, crank_study_table *s,
                                 crank_error *err)
{
    hsize_t size[2];
    const size_t members = (size_t)r->rows;
    s->reasons = calloc(members + 1, sizeof *s->reasons);
    if (s->reasons == NULL) {
        return no_memory(r, err);
    }
    if (H5Lexists(r->file, "reason", H5P_DEFAULT) <= 0) {
        return crank_netcdf_damaged(r, "it has no variable reason", err);
    }
    const hid_t set = H5Dopen2(r->file, "reason", H5P_DEFAULT);
    crank_status status = CRANK_OK;
    char *text = NULL;
    if (set < 0 || !is_double_array(r, set, H5T_STRING, size) || size[1] > LONGEST_REASON) {
        status = crank_netcdf_damaged(r, "reason is not an array of characters", err);
    } else if ((text = malloc(members * (size_t)size[1] + 1)) == NULL) {
        status = no_memory(r, err);
    } else if (H5Dread(set, H5T_C_S1, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0) {
        status = crank_netcdf_damaged(r, "reason", err);
    }
    for (size_t i = 0; i < members && status == CRANK_OK; i++) {
        status = crank_table_set(&s->reasons[i], r->path, text + i * (size_t)size[1],
                                 (size_t)size[1], err);
    }
    free(text);
    if (set >= 0) {
        (void)H5Dclose(set);
    }
    return status;
}

/* ---- what is kept over time ---- */

/* The variables over members and time, by their numbers; counted first (found NULL). */
static int find_kept(const crank_netcdf_reader *r, hsize_t times, hsize_t *found)
{
    char name[CRANK_NETCDF_NAME];
    int count = 0;
    for (hsize_t i = 0; i < r->links; i++) {
        hsize_t size[2] = {0, 0};
        const hid_t set = crank_netcdf_set(r, i, name);
        if (set >= 0 && is_double_array(r, set, H5T_FLOAT, size) && size[1] == times) {
            if (found != NULL) {
                found[count] = i;
            }
            count++;
        }
        if (set >= 0) {
            (void)H5Dclose(set);
        }
    }
    return count;
}

static crank_status take_times(const crank_netcdf_reader *r, crank_study_table *s,
                               hsize_t *rows, crank_error *err)
{
    const hid_t set = H5Lexists(r->file, "time", H5P_DEFAULT) > 0
                          ? H5Dopen2(r->file, "time", H5P_DEFAULT)
                          : -1;
    crank_status status = CRANK_OK;
    if (set < 0) {
        return crank_netcdf_damaged(r, "it has no time", err);
    }
    const hid_t space = H5Dget_space(set);
    if (H5Sget_simple_extent_ndims(space) != 1 ||
        H5Sget_simple_extent_dims(space, rows, NULL) != 1 || *rows < 1 || *rows > INT_MAX) {
        status = crank_netcdf_damaged(r, "time", err);
    } else if ((s->time = malloc((size_t)*rows * sizeof *s->time)) == NULL) {
        status = no_memory(r, err);
    } else if (H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, s->time) < 0) {
        status = crank_netcdf_damaged(r, "time", err);
    } else {
        s->rows = (int)*rows;
        status = crank_netcdf_text(r, set, "units", &s->time_unit, err);
    }
    (void)H5Sclose(space);
    (void)H5Dclose(set);
    return status;
}

/* Column k of the first members. */
static crank_status take_kept(const crank_netcdf_reader *r, hsize_t variable, int k,
                              crank_study_table *s, crank_error *err)
{
    char name[CRANK_NETCDF_NAME];
    const hid_t set = crank_netcdf_set(r, variable, name);
    if (set < 0) {
        return crank_netcdf_damaged(r, "its variables", err);
    }
    const hsize_t from[2] = {0, 0}, size[2] = {(hsize_t)s->members_kept, (hsize_t)s->rows};
    const hid_t space = H5Dget_space(set), memory = H5Screate_simple(2, size, NULL);
    double *values = s->values + (size_t)k * (size_t)s->members_kept * (size_t)s->rows;
    crank_status status =
        crank_table_set(&s->columns[k].name, r->path, name, strlen(name), err);
    CRANK_THEN(status, crank_netcdf_text(r, set, "units", &s->columns[k].unit, err));
    CRANK_THEN(status, crank_netcdf_text(r, set, "long_name", &s->columns[k].description, err));
    if (status == CRANK_OK &&
        (H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, size, NULL) < 0 ||
         H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values) < 0)) {
        status = crank_netcdf_damaged(r, name, err);
    }
    (void)H5Sclose(memory);
    (void)H5Sclose(space);
    (void)H5Dclose(set);
    return status;
}

static crank_status take_all_kept(const crank_netcdf_reader *r, double most,
                                  crank_study_table *s, crank_error *err)
{
    hsize_t times = 0;
    crank_status status = take_times(r, s, &times, err);
    if (status != CRANK_OK) {
        return status;
    }
    const int count = find_kept(r, times, NULL);
    const double each = (double)count * (double)times;
    s->column_count = count;
    s->members_kept = s->members->rows;
    if (count > 0 && each * (double)s->members_kept > most) {
        s->members_kept = (int)floor(most / each);
    }
    hsize_t *found = malloc(((size_t)count + 1) * sizeof *found);
    s->columns = calloc((size_t)count + 1, sizeof *s->columns);
    s->values = malloc(((size_t)count * (size_t)s->members_kept * (size_t)times + 1) *
                       sizeof *s->values);
    if (found == NULL || s->columns == NULL || s->values == NULL) {
        status = no_memory(r, err);
    } else {
        (void)find_kept(r, times, found);
    }
    for (int k = 0; k < count && status == CRANK_OK; k++) {
        status = take_kept(r, found[k], k, s, err);
    }
    free(found);
    return status;
}

/* ---- all of it ---- */

bool crank_study_table_is(const char *path)
{
    crank_netcdf_reader r;
    if (crank_format_to_read(path) != &crank_format_netcdf) {
        return false;
    }
    const crank_status status = crank_netcdf_open(&r, path, NULL);
    crank_netcdf_end(&r, status);
    return status == CRANK_OK && r.study;
}

/* Factors stand before the status. */
static crank_status count_factors(const crank_netcdf_reader *r, crank_study_table *s,
                                  crank_error *err)
{
    const int status = crank_table_find(s->members, "status");
    if (status < 1) {
        return crank_netcdf_damaged(r, "it has no variable status", err);
    }
    s->factors = status - 1;
    return CRANK_OK;
}

crank_status crank_study_table_read(const char *path, double most, crank_study_table **out,
                                    crank_error *err)
{
    crank_netcdf_reader r;
    crank_study_table *s = calloc(1, sizeof *s);
    crank_table *members = calloc(1, sizeof *members);
    *out = NULL;
    crank_status status = crank_netcdf_open(&r, path, err);
    if (s == NULL || members == NULL) {
        free(members);
        status = status == CRANK_OK ? no_memory(&r, err) : status;
    } else {
        s->members = members;
    }
    if (status == CRANK_OK && !r.study) {
        status = crank_fail(err, CRANK_EARG, "%.200s: is no study", path);
    }
    CRANK_THEN(status, crank_netcdf_take(&r, s->members, err));
    CRANK_THEN(status, count_factors(&r, s, err));
    CRANK_THEN(status, crank_netcdf_text(&r, r.file, "command", &s->command, err));
    CRANK_THEN(status, take_reasons(&r, s, err));
    CRANK_THEN(status, take_all_kept(&r, most, s, err));
    crank_netcdf_end(&r, status);
    if (status != CRANK_OK) {
        crank_study_table_destroy(s);
        return status;
    }
    *out = s;
    return CRANK_OK;
}

void crank_study_table_destroy(crank_study_table *s)
{
    if (s == NULL) {
        return;
    }
    for (int i = 0; s->reasons != NULL && s->members != NULL && i < s->members->rows; i++) {
        free(s->reasons[i]);
    }
    for (int k = 0; s->columns != NULL && k < s->column_count; k++) {
        free(s->columns[k].name);
        free(s->columns[k].unit);
        free(s->columns[k].description);
    }
    crank_table_destroy(s->members);
    free(s->reasons);
    free(s->columns);
    free(s->time);
    free(s->time_unit);
    free(s->values);
    free(s->command);
    free(s);
}
