/* netcdf.c - see netcdf.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "results/netcdf.h"

#include "base/file.h"
#include "base/store.h"
#include "results/hdf5.h"

#include <hdf5_hl.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_DIMENSIONS = 8, MOST_VARIABLES = 100000 };

typedef struct variable {
    hid_t set, type;
    int dimensions;
    int dimension[2];
    hsize_t size[2];
} variable;

/* an entry of a dimension's list of who uses it, as which of its axes */
typedef struct user {
    hobj_ref_t variable;
    int axis;
} user;

struct crank_netcdf {
    char *path, *part;
    crank_hdf5_quiet quiet;
    hid_t file;
    int dimensions, variables;
    hid_t dimension[MOST_DIMENSIONS];
    hsize_t length[MOST_DIMENSIONS];
    variable *variable;
    bool failed;
};

static hid_t note_type(const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    const size_t length = strlen(text);
    (void)H5Tset_size(type, length > 0 ? length : 1);
    (void)H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
}

/* an attribute of one value */
static bool put_attribute(hid_t object, const char *name, hid_t type, hsize_t count,
                          const void *value)
{
    const hid_t space = count > 0 ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool good = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    (void)H5Aclose(attribute);
    (void)H5Sclose(space);
    return good;
}

static bool put_text(hid_t object, const char *name, const char *text)
{
    if (text == NULL || text[0] == '\0') {
        return true;
    }
    const hid_t type = note_type(text);
    const bool good = put_attribute(object, name, type, 0, text);
    (void)H5Tclose(type);
    return good;
}

crank_status crank_netcdf_create(const char *path, crank_netcdf **out, crank_error *err)
{
    crank_netcdf *f = calloc(1, sizeof *f);
    *out = NULL;
    if (f == NULL) {
        return crank_fail(err, CRANK_EMEM, "%.200s", path);
    }
    f->file = H5I_INVALID_HID;
    f->path = strdup(path);
    f->part = crank_path_extend(path, ".part");
    f->variable = calloc(1, sizeof *f->variable);
    if (f->path == NULL || f->part == NULL || f->variable == NULL) {
        (void)crank_netcdf_close(f, false, NULL);
        return crank_fail(err, CRANK_EMEM, "%.200s", path);
    }
    crank_hdf5_quiet_begin(&f->quiet);
    const hid_t creation = H5Pcreate(H5P_FILE_CREATE), access = H5Pcreate(H5P_FILE_ACCESS);
    const unsigned order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
    (void)H5Pset_obj_track_times(creation, false); /* same bytes whenever it is written */
    (void)H5Pset_link_creation_order(creation, order);
    (void)H5Pset_attr_creation_order(creation, order);
    (void)H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V110);
    f->file = H5Fcreate(f->part, H5F_ACC_TRUNC, creation, access);
    (void)H5Pclose(creation);
    (void)H5Pclose(access);
    if (f->file < 0) {
        const crank_status status = crank_hdf5_fail(path, "cannot be written", err);
        (void)crank_netcdf_close(f, false, NULL);
        return status;
    }
    *out = f;
    return CRANK_OK;
}

static hid_t make_set(crank_netcdf *f, const char *name, hid_t type, int dimensions,
                      const hsize_t *size)
{
    const hid_t space = H5Screate_simple(dimensions, size, NULL);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    (void)H5Pset_obj_track_times(creation, false);
    (void)H5Pset_attr_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    const hid_t set =
        H5Dcreate2(f->file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    (void)H5Pclose(creation);
    (void)H5Sclose(space);
    f->failed = f->failed || set < 0;
    return set;
}

int crank_netcdf_dimension(crank_netcdf *f, const char *name, int64_t length,
                           const double *values, const char *unit, const char *about)
{
    const hsize_t size = (hsize_t)length;
    const int number = f->dimensions;
    if (number == MOST_DIMENSIONS) {
        f->failed = true;
        return -1;
    }
    char bare[80]; /* what netCDF calls a dimension without values */
    (void)snprintf(bare, sizeof bare,
                   "This is a netCDF dimension but not a netCDF variable.%10d", (int)length);
    const hid_t set =
        make_set(f, name, values != NULL ? H5T_NATIVE_DOUBLE : H5T_IEEE_F32BE, 1, &size);
    f->failed = f->failed ||
                (values != NULL &&
                 H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) ||
                H5DSset_scale(set, values != NULL ? name : bare) < 0 ||
                !put_attribute(set, "_Netcdf4Dimid", H5T_NATIVE_INT, 0, &number) ||
                !put_text(set, "units", unit) || !put_text(set, "long_name", about);
    f->dimension[number] = set;
    f->length[number] = size;
    f->dimensions++;
    return f->failed ? -1 : number;
}

static hid_t type_of(crank_netcdf_type type)
{
    return H5Tcopy(type == CRANK_NETCDF_DOUBLE ? H5T_NATIVE_DOUBLE
                   : type == CRANK_NETCDF_INT  ? H5T_NATIVE_INT
                                               : H5T_C_S1);
}

/* DIMENSION_LIST: for each axis the dimension. (H5DSattach_scale would write the other list
 * anew for each variable: the square of their number.) */
static bool put_dimensions(crank_netcdf *f, const variable *v)
{
    hobj_ref_t reference[2];
    hvl_t list[2];
    bool good = true;
    for (int i = 0; i < v->dimensions; i++) {
        list[i] = (hvl_t){.len = 1, .p = &reference[i]};
        good = good && H5Rcreate(&reference[i], f->dimension[v->dimension[i]], ".", H5R_OBJECT,
                                 -1) >= 0;
    }
    const hid_t type = H5Tvlen_create(H5T_STD_REF_OBJ);
    good = good && put_attribute(v->set, "DIMENSION_LIST", type, (hsize_t)v->dimensions, list);
    (void)H5Tclose(type);
    return good;
}

/* REFERENCE_LIST of a dimension: all variables over it. */
static bool put_users(const crank_netcdf *f, int dimension)
{
    user *users = malloc((2 * (size_t)f->variables + 1) * sizeof *users);
    hsize_t count = 0;
    bool good = users != NULL;
    for (int k = 0; k < f->variables && good; k++) {
        for (int i = 0; i < f->variable[k].dimensions; i++) {
            if (f->variable[k].dimension[i] == dimension) {
                users[count].axis = i;
                good = good && H5Rcreate(&users[count++].variable, f->variable[k].set, ".",
                                         H5R_OBJECT, -1) >= 0;
            }
        }
    }
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof *users);
    (void)H5Tinsert(type, "dataset", HOFFSET(user, variable), H5T_STD_REF_OBJ);
    (void)H5Tinsert(type, "dimension", HOFFSET(user, axis), H5T_NATIVE_INT);
    good = good && (count == 0 || put_attribute(f->dimension[dimension], "REFERENCE_LIST", type,
                                                count, users));
    (void)H5Tclose(type);
    free(users);
    return good;
}

int crank_netcdf_define(crank_netcdf *f, const crank_netcdf_variable *v)
{
    const int number = f->variables;
    variable *more = number < MOST_VARIABLES
                         ? realloc(f->variable, ((size_t)number + 1) * sizeof *more)
                         : NULL;
    if (more == NULL || f->failed) {
        f->failed = true;
        return -1;
    }
    f->variable = more;
    variable *new = &f->variable[number];
    *new = (variable){.type = type_of(v->type), .dimensions = v->dimensions};
    for (int i = 0; i < v->dimensions; i++) {
        new->dimension[i] = v->dimension[i];
        new->size[i] = f->length[v->dimension[i]];
    }
    new->set = make_set(f, v->name, new->type, v->dimensions, new->size);
    f->variables++;
    f->failed = f->failed || !put_dimensions(f, new);
    const double fill = (double)NAN;
    const hsize_t one = 1;
    f->failed = f->failed || !put_text(new->set, "units", v->unit) ||
                !put_text(new->set, "long_name", v->about) ||
                !put_text(new->set, "coordinates", v->coordinates) ||
                (v->type == CRANK_NETCDF_DOUBLE &&
                 !put_attribute(new->set, "_FillValue", H5T_NATIVE_DOUBLE, one, &fill));
    return f->failed ? -1 : number;
}

void crank_netcdf_note(crank_netcdf *f, int number, const char *name, const char *text)
{
    f->failed =
        f->failed || !put_text(number < 0 ? f->file : f->variable[number].set, name, text);
}

void crank_netcdf_flags(crank_netcdf *f, int number, int count, const int *values,
                        const char *meanings)
{
    f->failed = f->failed ||
                !put_attribute(f->variable[number].set, "flag_values", H5T_NATIVE_INT,
                               (hsize_t)count, values) ||
                !put_text(f->variable[number].set, "flag_meanings", meanings);
}

void crank_netcdf_put(crank_netcdf *f, int number, int64_t first, int64_t count,
                      const void *values)
{
    if (f->failed || count == 0) {
        return;
    }
    const variable *v = &f->variable[number];
    const hsize_t from[2] = {(hsize_t)first, 0}, size[2] = {(hsize_t)count, v->size[1]};
    const hid_t space = H5Dget_space(v->set);
    const hid_t memory = H5Screate_simple(v->dimensions, size, NULL);
    f->failed = H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, size, NULL) < 0 ||
                H5Dwrite(v->set, v->type, memory, space, H5P_DEFAULT, values) < 0;
    (void)H5Sclose(memory);
    (void)H5Sclose(space);
}

crank_status crank_netcdf_close(crank_netcdf *f, bool keep, crank_error *err)
{
    crank_status status = CRANK_OK;
    for (int i = 0; i < f->dimensions && keep && !f->failed; i++) {
        f->failed = !put_users(f, i);
    }
    for (int i = 0; i < f->variables; i++) {
        (void)H5Dclose(f->variable[i].set);
        (void)H5Tclose(f->variable[i].type);
    }
    for (int i = 0; i < f->dimensions; i++) {
        (void)H5Dclose(f->dimension[i]);
    }
    const bool opened = f->file >= 0;
    const bool good = !f->failed && opened && H5Fclose(f->file) >= 0;
    if (!good && opened && keep) {
        status = crank_hdf5_fail(f->path, "cannot be written", err);
    }
    if (f->failed && opened) {
        (void)H5Fclose(f->file);
    }
    if (opened) {
        crank_hdf5_quiet_end(&f->quiet, status);
    }
    if (good && keep && rename(f->part, f->path) != 0) {
        status = crank_fail(err, CRANK_EFILE, "%.200s cannot be written", f->path);
    }
    if (opened && (!good || !keep)) {
        (void)unlink(f->part);
    }
    free(f->variable);
    free(f->path);
    free(f->part);
    free(f);
    return status;
}
