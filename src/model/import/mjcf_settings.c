/* mjcf_settings.c - what <compiler> and <option> say of the whole file: how it is read, which
 * masses and inertias bodies have at least, and what is switched off.
 *
 * A body's mass is at least boundmass, its principal moments at least boundinertia each; with
 * balanceinertia three that no body can have (one above the sum of the others) become their
 * mean. Last, settotalmass scales masses and inertias of all bodies. The order is MuJoCo's. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/import/mjcf.h"

#include "base/then.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

/* ---- <compiler> ---- */

static bool is_true(const char *text)
{
    return text != NULL && strcmp(text, "true") == 0;
}

static bool is_true_or(const char *text, bool otherwise)
{
    return text != NULL ? is_true(text) : otherwise;
}

crank_status crank_mjcf_compiler(crank_mjcf *m)
{
    for (const crank_xml *e = crank_xml_child(m->root, "compiler"); e != NULL;
         e = crank_xml_next(e, "compiler")) {
        const char *angle = crank_xml_get(e, "angle"),
                   *coordinate = crank_xml_get(e, "coordinate");
        const char *euler = crank_xml_get(e, "eulerseq"),
                   *from = crank_xml_get(e, "inertiafromgeom");
        const char *limits = crank_xml_get(e, "autolimits"),
                   *meshes = crank_xml_get(e, "meshdir");
        if (angle != NULL && strcmp(angle, "radian") == 0) {
            m->angle = 1.0;
        }
        m->balance = is_true_or(crank_xml_get(e, "balanceinertia"), m->balance);
        m->global = coordinate != NULL ? strcmp(coordinate, "global") == 0 : m->global;
        m->unlimited = limits != NULL ? !is_true(limits) : m->unlimited;
        m->from_geoms =
            from == NULL || strcmp(from, "auto") == 0 ? m->from_geoms : is_true(from);
        const char *assets = crank_xml_get(e, "assetdir"),
                   *exact = crank_xml_get(e, "exactmeshinertia");
        m->mesh_folder = meshes != NULL ? meshes : assets != NULL ? assets : m->mesh_folder;
        m->exact_meshes = is_true_or(exact, m->exact_meshes);
        crank_error *err = m->r->im->err;
        crank_status status = crank_xml_numbers(e, "inertiagrouprange", 2, m->groups, err);
        CRANK_THEN(status, crank_xml_numbers(e, "boundmass", 1, &m->least_mass, err));
        CRANK_THEN(status, crank_xml_numbers(e, "boundinertia", 1, &m->least_inertia, err));
        CRANK_THEN(status, crank_xml_numbers(e, "settotalmass", 1, &m->total_mass, err));
        if (status != CRANK_OK) {
            return status;
        }
        if (euler != NULL) {
            if (strlen(euler) != 3 || strspn(euler, "xyzXYZ") != 3) {
                return crank_xml_fail(m->r->im->err, e,
                                      "<compiler eulerseq>: \"%.20s\"; three of x, y, z",
                                      euler);
            }
            memcpy(m->euler, euler, sizeof m->euler);
        }
    }
    return CRANK_OK;
}

/* ---- masses ---- */

/* principal moments of a body, which are not below zero, made what they have to be */
static void correct_moments(const crank_mjcf *m, double moment[3])
{
    double sum = 0.0, largest = 0.0;
    for (int i = 0; i < 3; i++) {
        moment[i] = fmax(moment[i], m->least_inertia);
        largest = fmax(largest, moment[i]);
        sum += moment[i];
    }
    for (int i = 0; i < 3 && m->balance && largest > sum - largest; i++) {
        moment[i] = sum / 3.0;
    }
}

void crank_mjcf_correct_weight(const crank_mjcf *m, crank_robot_link *link)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    const int size = crank_svd_work_size(3, 3);
    double A[9], moment[3], U[9], VT[9];
    link->mass = fmax(link->mass, m->least_mass);
    if (!(m->least_inertia > 0.0) && !m->balance) {
        return;
    }
    double *work = crank_store_take(m->r->im->store, (size_t)size, sizeof *work);
    for (int k = 0; k < 6; k++) {
        A[3 * row[k] + column[k]] = A[3 * column[k] + row[k]] = link->inertia[k];
    }
    if (work == NULL || !crank_svd(3, 3, A, 3, moment, U, VT, work, size)) {
        return; /* numbers of the file are finite, and the store remembers that it is full */
    }
    double corrected[3] = {moment[0], moment[1], moment[2]};
    correct_moments(m, corrected);
    if (memcmp(corrected, moment, sizeof moment) == 0) {
        return; /* to the last bit what the file says */
    }
    for (int k = 0; k < 6; k++) { /* U and V: by columns, V^T = U^T */
        link->inertia[k] = 0.0;
        for (int i = 0; i < 3; i++) {
            link->inertia[k] += U[3 * i + row[k]] * corrected[i] * U[3 * i + column[k]];
        }
    }
}

void crank_mjcf_total_mass(crank_mjcf *m)
{
    double sum = 0.0;
    for (int i = 0; i < m->r->link_count; i++) {
        sum += m->r->link[i].mass;
    }
    if (!(m->total_mass > 0.0) || !(sum > 0.0)) {
        return;
    }
    for (int i = 0; i < m->r->link_count; i++) {
        crank_robot_link *link = &m->r->link[i];
        link->mass *= m->total_mass / sum;
        for (int k = 0; k < 6; k++) {
            link->inertia[k] *= m->total_mass / sum;
        }
    }
}

/* ---- <option> ---- */

/* What is switched off is as if the file did not have it. */
static void read_flags(crank_mjcf *m, const crank_xml *flag)
{
    const struct {
        const char *name;
        bool *off[3];
    } list[] = {{"gravity", {&m->off.gravity}},
                {"constraint", {&m->off.equality, &m->off.limit, &m->off.friction}},
                {"equality", {&m->off.equality}},
                {"frictionloss", {&m->off.friction}},
                {"limit", {&m->off.limit}},
                {"passive", {&m->off.spring, &m->off.damper}},
                {"spring", {&m->off.spring}},
                {"damper", {&m->off.damper}},
                {"clampctrl", {&m->off.control_limit}},
                {"actuation", {&m->off.actuation}},
                {"contact", {NULL}}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        const char *text = crank_xml_get(flag, list[i].name);
        for (int k = 0; k < 3 && list[i].off[k] != NULL; k++) {
            *list[i].off[k] = *list[i].off[k] || (text != NULL && strcmp(text, "disable") == 0);
        }
    }
}

crank_status crank_mjcf_option(crank_mjcf *m)
{
    crank_status status = CRANK_OK;
    for (const crank_xml *e = crank_xml_child(m->root, "option"); e != NULL;
         e = crank_xml_next(e, "option")) {
        CRANK_THEN(status, crank_xml_numbers(e, "gravity", 3, m->r->gravity, m->r->im->err));
        if (crank_xml_get(e, "timestep") != NULL || crank_xml_get(e, "integrator") != NULL) {
            crank_import_note(m->r->im, e,
                              "<option>: timestep and integrator are MuJoCo's; crank chooses "
                              "its steps by tolerances, and has a method of its own");
            (void)crank_xml_get(e, "integrator"); /* said, both */
        }
        for (crank_xml *flag = crank_xml_child(e, "flag"); flag != NULL;
             flag = crank_xml_next(flag, "flag")) {
            flag->used = true;
            read_flags(m, flag);
        }
    }
    if (m->off.gravity) {
        memset(m->r->gravity, 0, sizeof m->r->gravity);
    }
    return status;
}
