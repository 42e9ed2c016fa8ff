/* scene.c - the scene of a mechanism: bodies with the columns of their poses and their solids,
 * joints and forces with the markers that their types have drawn, in axes of each body from its
 * origin. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/scene.h"

#include "linalg/rotation.h"
#include "mechanics/build_inside.h"

#include <math.h>
#include <string.h>

enum { PLOTTED = 4, POSITIONS = 7 }; /* of a body at most */

static crank_status no_memory(crank_error *err)
{
    return crank_fail(err, CRANK_EMEM, "the scene of the mechanism");
}

/* ---- bodies ---- */

static bool add_solid(crank_scene_body *body, const crank_body_record *r, bool planar,
                      crank_store *store)
{
    static const struct {
        const char *name;
        crank_solid_kind kind;
    } kinds[] = {{"box", CRANK_SOLID_BOX},       {"cylinder", CRANK_SOLID_CYLINDER},
                 {"sphere", CRANK_SOLID_SPHERE}, {"capsule", CRANK_SOLID_CAPSULE},
                 {"cone", CRANK_SOLID_CONE},     {"rod", CRANK_SOLID_TUBE}};
    crank_scene_shape *s = crank_store_take(store, 1, sizeof *s);
    if (s == NULL) {
        return false;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i].name, r->solid) == 0) {
            s->kind = kinds[i].kind;
        }
    }
    const double *size = r->solid_size;
    double R[9];
    crank_quaternion_matrix(R, r->solid_turn);
    memcpy(s->orientation, r->solid_turn, sizeof s->orientation);
    memcpy(s->at, r->center, sizeof s->at);
    memcpy(s->size, size, sizeof s->size);
    if (s->kind == CRANK_SOLID_BOX && s->size[2] == 0.0) { /* a plate */
        s->size[2] = 0.25 * fmin(size[0], size[1]);
    } else if (s->kind == CRANK_SOLID_CONE) { /* its centre of mass is below its middle */
        for (int i = 0; i < 3; i++) {
            s->at[i] += 0.25 * size[1] * R[3 * i + 2];
        }
    } else if (s->kind == CRANK_SOLID_TUBE) {
        for (int k = 0; k < 2; k++) {
            for (int i = 0; i < 3; i++) {
                s->end[k][i] = r->center[i] +
                               (k == 0 ? -0.5 : 0.5) * size[0] * R[3 * i + (planar ? 0 : 2)];
            }
        }
        memset(s->at, 0, sizeof s->at);
        s->size[0] = 0.0; /* by the scene's size */
    }
    body->shape = s;
    body->shape_count = 1;
    return true;
}

/* columns of a body begin with its pose */
static void set_pose(crank_scene_body *body, crank_body_kind kind, const char *const *column)
{
    static const int spatial[POSITIONS] = {CRANK_POSE_X,  CRANK_POSE_Y,  CRANK_POSE_Z,
                                           CRANK_POSE_Q0, CRANK_POSE_Q1, CRANK_POSE_Q2,
                                           CRANK_POSE_Q3};
    static const int planar[POSITIONS] = {CRANK_POSE_X, CRANK_POSE_Y, CRANK_POSE_ANGLE};
    const bool flat = kind == CRANK_BODY_PLANAR || kind == CRANK_BODY_PLANAR_POINT;
    for (int i = 0; i < crank_body_positions(kind); i++) {
        const int pose = flat ? planar[i] : spatial[i];
        body->placed[pose] = true;
        body->pose[pose].column = column[i];
    }
}

/* Copies of an assembly are told apart by what stands before the last dot of their names: the
 * same part has the same colour in all of them. */
static bool number_parts(const crank_mechanism *m, crank_scene *scene, crank_store *store)
{
    crank_index parts = {0};
    int count = 0;

    for (int i = 0; i < m->body_count; i++) {
        const char *dot = strrchr(m->body[i].name, '.');
        const char *part = dot != NULL ? dot : m->body[i].name; /* with the dot: not a body */
        const int known = crank_index_find(&parts, part);
        scene->body[i].part = known >= 0 ? known : count;
        if (known < 0 && !crank_index_add(&parts, store, part, count++)) {
            return false;
        }
    }
    return true;
}

static crank_status fill_bodies(crank_scene *scene, const crank_builder *b,
                                const crank_output_set *set, crank_error *err)
{
    const crank_mechanism *m = b->mechanism;
    int column = 0;
    for (int i = 0; i < m->body_count; i++) {
        const crank_body_record *r = &m->body[i];
        crank_scene_body *body = &scene->body[i];
        *body = (crank_scene_body){.name = r->name};
        memcpy(body->center, r->center, sizeof body->center);
        memcpy(body->R, b->placed[i].R, sizeof body->R);
        crank_mat3_times(body->x, body->R, r->center);
        for (int k = 0; k < 3; k++) {
            body->x[k] = b->placed[i].x[k] - body->x[k];
        }
        set_pose(body, b->kind[i], set->column_name + column);
        column += crank_body_positions(b->kind[i]) + crank_body_velocities(b->kind[i]);
        if (r->solid != NULL && !add_solid(body, r, m->dimension == 2, b->store)) {
            return no_memory(err);
        }
    }
    scene->body_count = m->body_count;
    return number_parts(m, scene, b->store) ? CRANK_OK : no_memory(err);
}

/* ---- joints and forces ---- */

/* in axes of its body, from its origin */
static void local(const crank_builder *b, const crank_marker *m, double out[3])
{
    memcpy(out, m->u, 3 * sizeof *out);
    if (m->body >= 0 && m->point) {
        crank_add3(out, 1.0, b->mechanism->body[m->body].center);
    }
}

static void unit(double a[3])
{
    const double size = crank_norm3(a);
    for (int i = 0; i < 3 && size > 0.0; i++) {
        a[i] /= size;
    }
}

/* the quaternion of a rotation matrix by its largest component */
static void quaternion_of(const double R[9], double q[4])
{
    const double four[4] = {1.0 + R[0] + R[4] + R[8], 1.0 + R[0] - R[4] - R[8],
                            1.0 - R[0] + R[4] - R[8], 1.0 - R[0] - R[4] + R[8]};
    int k = 0;
    for (int i = 1; i < 4; i++) {
        k = four[i] > four[k] ? i : k;
    }
    const double skew[3] = {R[7] - R[5], R[2] - R[6], R[3] - R[1]};
    const double even[3] = {R[5] + R[7], R[2] + R[6], R[1] + R[3]}; /* yz, xz, xy */
    const double s = 2.0 * sqrt(four[k]);
    q[0] = k == 0 ? 0.25 * s : skew[k - 1] / s;
    for (int i = 1; i < 4; i++) {
        q[i] = k == 0 ? skew[i - 1] / s : i == k ? 0.25 * s : even[6 - i - k - 1] / s;
    }
}

static crank_scene_joint joint_of(const crank_builder *b, int i)
{
    const crank_mechanism *m = b->mechanism;
    const crank_record *record = &m->joint[i];
    const crank_drawing *d = &b->drawing[i];
    const crank_element_type *type = (const crank_element_type *)record->type;
    const bool planar = m->dimension == 2;
    crank_scene_joint j = {.name = record->name,
                           .type = record->type->name,
                           .glyph = d->given ? type->glyph : "none",
                           .body = {-1, -1},
                           .radius = d->radius,
                           .pitch = {d->pitch[0], d->pitch[1]},
                           .has_reaction = b->reaction[i].given};
    for (int k = 0; k < 2 && d->given; k++) {
        j.body[k] = d->at[k].body;
        local(b, &d->at[k], j.point[k]);
        if (d->has_axis) {
            local(b, &d->axis[k], j.axis[k]);
            unit(j.axis[k]);
        } else if (planar) {
            j.axis[k][2] = 1.0;
        }
    }
    j.has_axis = d->given && (d->has_axis || (planar && strcmp(j.glyph, "hinge") == 0));
    return j;
}

static void set_frames(crank_scene_joint *joint, const crank_reactions *r)
{
    for (int i = 0; i < r->count && r->joint_axes; i++) {
        const crank_reaction_place *place = &r->item[i];
        double R[9];
        for (int k = 0; k < 9; k++) {
            R[k] = place->frame[k % 3].u[k / 3];
        }
        joint[place->joint].joint_axes = true;
        quaternion_of(R, joint[place->joint].frame);
    }
}

/* named quantities that are columns */
static bool index_columns(const crank_builder *b, crank_index *columns)
{
    for (int i = 0; i < b->name.count; i++) {
        const crank_named_quantity *n = &b->name.item[i];
        if (n->in_results && crank_index_find(columns, n->name) < 0 &&
            !crank_index_add(columns, b->store, n->name, i)) {
            return false;
        }
    }
    return true;
}

/* the column force.NAME.QUANTITY; NULL: there is none */
static const char *column_of(const crank_builder *b, const crank_index *columns,
                             const char *name, const char *quantity)
{
    const char *text = crank_store_print(b->store, "force.%s.%s", name, quantity);
    return text != NULL && crank_index_find(columns, text) >= 0 ? text : NULL;
}

/* A law that is not the same everywhere: a rope that pulls alone, a stop. What it holds is no
 * coil. */
static bool has_switch(const crank_field *law)
{
    static const char *const words[] = {"if(", "max(", "min(", "if (", "max (", "min ("};
    const char *text = law != NULL && law->node != NULL ? law->node->text : NULL;
    bool found = false;
    for (size_t i = 0; i < sizeof words / sizeof *words && text != NULL; i++) {
        found = found || strstr(text, words[i]) != NULL;
    }
    return found;
}

static crank_scene_force force_of(const crank_builder *b, const crank_index *columns, int i)
{
    static const char *const forces[] = {"fx", "fy", "fz"}, *const torques[] = {"tx", "ty",
                                                                                "tz"};
    const crank_mechanism *m = b->mechanism;
    const crank_record *record = &m->force[i];
    const crank_drawing *d = &b->drawing[m->joint_count + i];
    const crank_element_type *type = (const crank_element_type *)record->type;
    const crank_field *axes = crank_record_find(record, "axes");
    crank_scene_force f = {.name = record->name,
                           .type = record->type->name,
                           .glyph = d->given ? type->glyph : "none",
                           .body = {-1, -1},
                           .radius = d->radius,
                           .in_body = axes != NULL && strcmp(axes->word, "body") == 0};
    for (int k = 0; k < 2 && d->given; k++) {
        f.body[k] = d->at[k].body;
        local(b, &d->at[k], f.point[k]);
    }
    f.value = column_of(b, columns, record->name, "force");
    f.value = f.value != NULL ? f.value : column_of(b, columns, record->name, "torque");
    const bool arrow = strcmp(f.glyph, "arrow") == 0;
    const bool torque = strcmp(f.glyph, "torque") == 0;
    for (int k = 0; k < 3 && f.value == NULL && (arrow || torque); k++) {
        f.component[k] = column_of(b, columns, record->name, arrow ? forces[k] : torques[k]);
    }
    const bool on_joint = crank_record_find(record, "joint") != NULL;
    if (on_joint && strcmp(f.glyph, "actuator") == 0) { /* in the joint, not between points */
        f.glyph = "none";
    } else if (strcmp(f.glyph, "spring") == 0 &&
               crank_record_find(record, "stiffness") == NULL &&
               crank_record_find(record, "law") == NULL &&
               crank_record_find(record, "table") == NULL) {
        f.glyph = "damper";
    } else if (strcmp(f.glyph, "spring") == 0 && has_switch(crank_record_find(record, "law"))) {
        f.glyph = "rope";
    } else if (strcmp(f.glyph, "contact") == 0) { /* upwards in the world */
        f.has_direction = true;
        f.direction[m->dimension - 1] = 1.0;
    } else if (torque && f.value != NULL) {
        f.has_direction = f.in_body = true;
        local(b, &d->axis[1], f.direction);
        f.direction[2] = d->has_axis ? f.direction[2] : 1.0;
        unit(f.direction);
    }
    return f;
}

/* ---- points of bodies ---- */

typedef struct attaching {
    crank_scene_points points;
    bool counting;
} attaching;

static void attach(attaching *a, int body, const crank_scene_point *point)
{
    if (body < 0) {
        return;
    }
    if (a->counting) {
        a->points.first[body + 1]++;
    } else {
        a->points.point[a->points.first[body]++] = *point;
    }
}

static void attach_all(attaching *a, const crank_scene *scene)
{
    for (int i = 0; i < scene->joint_count; i++) {
        const crank_scene_joint *j = &scene->joint[i];
        for (int k = 0; k < 2 && strcmp(j->glyph, "none") != 0; k++) {
            crank_scene_point p = {.glyph = j->glyph,
                                   .has_axis = j->has_axis,
                                   .second = k == 1,
                                   .paired = j->body[1 - k] >= 0,
                                   .radius = j->radius,
                                   .pitch = j->pitch[k]};
            memcpy(p.at, j->point[k], sizeof p.at);
            memcpy(p.axis, j->axis[k], sizeof p.axis);
            attach(a, j->body[k], &p);
        }
    }
    for (int i = 0; i < scene->force_count; i++) {
        const crank_scene_force *f = &scene->force[i];
        for (int k = 0; k < 2 && strcmp(f->glyph, "none") != 0; k++) {
            crank_scene_point p = {
                .glyph = f->glyph, .force = true, .second = k == 1, .radius = f->radius};
            memcpy(p.at, f->point[k], sizeof p.at);
            attach(a, f->body[k], &p);
        }
    }
}

static bool list_points(const crank_scene *scene, int bodies, crank_store *store,
                        crank_scene_points *out)
{
    attaching a = {.counting = true};
    a.points.first = crank_store_take(store, (size_t)bodies + 1, sizeof *a.points.first);
    if (a.points.first == NULL) {
        return false;
    }
    attach_all(&a, scene);
    for (int i = 0; i < bodies; i++) {
        a.points.first[i + 1] += a.points.first[i];
    }
    a.points.point =
        crank_store_take(store, (size_t)a.points.first[bodies], sizeof *a.points.point);
    if (a.points.point == NULL) {
        return false;
    }
    a.counting = false;
    attach_all(&a, scene);
    for (int i = bodies; i > 0; i--) {
        a.points.first[i] = a.points.first[i - 1];
    }
    a.points.first[0] = 0;
    *out = a.points;
    return true;
}

/* ---- size and shapes ---- */

static void extend_points(crank_scene_box *box, const crank_scene *scene, const int body[2],
                          const double point[2][3])
{
    for (int k = 0; k < 2; k++) {
        double world[3];
        memcpy(world, point[k], sizeof world);
        if (body[k] >= 0) {
            crank_scene_place(&scene->body[body[k]], point[k], world);
        }
        crank_scene_extend(box, world);
    }
}

/* the box of bodies and points at the start; returns how far bodies reach on average */
static double measure(const crank_scene *scene, const crank_mechanism *m,
                      const crank_scene_points *points, crank_scene_box *box)
{
    double sum = 0.0;
    int counted = 0;
    for (int i = 0; i < m->body_count; i++) {
        const crank_scene_body *b = &scene->body[i];
        const int first = points->first[i], count = points->first[i + 1] - first;
        double x[3];
        crank_scene_place(b, b->center, x);
        crank_scene_extend(box, x);
        crank_scene_extend_body(box, b);
        const double reach = crank_scene_reach(&m->body[i], b, points->point + first, count);
        if (reach > 0.0) {
            sum += reach;
            counted++;
        }
    }
    for (int i = 0; i < scene->joint_count; i++) {
        if (strcmp(scene->joint[i].glyph, "none") != 0) {
            extend_points(box, scene, scene->joint[i].body, scene->joint[i].point);
        }
    }
    for (int i = 0; i < scene->force_count; i++) {
        if (strcmp(scene->force[i].glyph, "none") != 0) {
            extend_points(box, scene, scene->force[i].body, scene->force[i].point);
        }
    }
    return counted > 0 ? sum / counted : 0.0;
}

static crank_status guess_shapes(crank_scene *scene, const crank_mechanism *m,
                                 const crank_scene_points *points, crank_error *err)
{
    for (int i = 0; i < m->body_count; i++) {
        crank_scene_body *body = &scene->body[i];
        const int first = points->first[i];
        if (!body->has_shapes && !body->hide && body->shape_count == 0 &&
            !crank_scene_guess(scene, &m->body[i], m->dimension == 2, points->point + first,
                               points->first[i + 1] - first, m->store, body)) {
            return no_memory(err);
        }
    }
    return CRANK_OK;
}

/* ---- plots ---- */

/* Coordinates of joints of one kind, else where the first body is; and the energies. */
static crank_status choose_plots(crank_scene *scene, const crank_builder *b, crank_error *err)
{
    const crank_mechanism *m = b->mechanism;
    crank_view_panel *panel = crank_store_take(b->store, 2, sizeof *panel);
    const char **first = crank_store_take(b->store, PLOTTED, sizeof *first);
    const char **second = crank_store_take(b->store, 2, sizeof *second);
    if (panel == NULL || first == NULL || second == NULL) {
        return no_memory(err);
    }
    char kind = '\0';
    int count = 0;
    for (int i = 0; i < b->name.count && count < PLOTTED; i++) {
        const crank_named_quantity *n = &b->name.item[i];
        const char *quantity = strrchr(n->name, '.') + 1;
        const bool coordinate = n->in_results && strncmp(n->name, "joint.", 6) == 0 &&
                                strstr(quantity, "_rate") == NULL &&
                                (quantity[0] == 'a' || quantity[0] == 'l');
        kind = coordinate && kind == '\0' ? quantity[0] : kind; /* angle or length */
        if (coordinate && quantity[0] == kind) {
            first[count++] = n->name;
        }
    }
    for (int k = 0; k < 3 && m->body_count > 0 && count < PLOTTED && kind == '\0'; k++) {
        if (scene->body[0].placed[k]) {
            first[count++] = scene->body[0].pose[k].column;
        }
    }
    second[0] = "energy.kinetic";
    second[1] = "energy.potential";
    if (count > 0) {
        panel[scene->plot_count++] = (crank_view_panel){.count = count, .name = first};
    }
    panel[scene->plot_count++] = (crank_view_panel){.count = 2, .name = second};
    scene->plot = panel;
    return CRANK_OK;
}

/* ---- curves ---- */

/* Curves and roads that the elements have drawn become lines, but for those of which `view:`
 * has a line of the same name. */
static bool add_curves(crank_scene *scene, const crank_builder *b)
{
    crank_view_line *line = crank_store_take(
        b->store, (size_t)scene->line_count + (size_t)b->curve.count, sizeof *line);
    if (line == NULL) {
        return false;
    }
    if (scene->line_count > 0) {
        memcpy(line, scene->line, (size_t)scene->line_count * sizeof *line);
    }
    const int given = scene->line_count;
    for (int i = 0; i < b->curve.count; i++) {
        const crank_drawn_curve *c = &b->curve.item[i];
        bool named = false;
        for (int k = 0; k < given; k++) {
            named = named || strcmp(line[k].name, c->name) == 0;
        }
        if (named || c->point == NULL) {
            continue;
        }
        crank_view_line *to = &line[scene->line_count++];
        *to = (crank_view_line){.name = c->name,
                                .color = "#8a929c",
                                .count = c->count,
                                .body = c->body,
                                .width = 0.006 * scene->scale,
                                .around = true};
        to->point = crank_store_take(b->store, (size_t)c->count, sizeof *to->point);
        for (int k = 0; to->point != NULL && k < 3 * c->count; k++) {
            to->point[k / 3][k % 3].number = c->point[k / 3][k % 3];
        }
        if (to->point == NULL) {
            return false;
        }
    }
    scene->line = line;
    return true;
}

/* ---- all of it ---- */

static void set_up(crank_scene *scene, const crank_mechanism *m)
{
    const double size = crank_norm3(m->gravity);
    if (m->dimension == 2 || !(size > 0.0)) {
        scene->up[m->dimension - 1] = 1.0;
        return;
    }
    for (int i = 0; i < 3; i++) {
        scene->up[i] = -m->gravity[i] / size;
    }
}

static crank_status fill(crank_scene *scene, crank_builder *b, const crank_output_set *set,
                         crank_error *err)
{
    const crank_mechanism *m = b->mechanism;
    const int more = m->view != NULL ? m->view->body_count : 0;
    const size_t bodies = (size_t)m->body_count + (size_t)more;
    crank_scene_joint *joint =
        crank_store_take(b->store, (size_t)m->joint_count, sizeof *joint);
    crank_scene_force *force =
        crank_store_take(b->store, (size_t)m->force_count, sizeof *force);
    scene->body = crank_store_take(b->store, bodies, sizeof *scene->body);
    crank_index columns = {0};
    if (joint == NULL || force == NULL || scene->body == NULL || !index_columns(b, &columns)) {
        return no_memory(err);
    }
    for (int i = 0; i < m->joint_count; i++) {
        joint[i] = joint_of(b, i);
    }
    for (int i = 0; i < m->force_count; i++) {
        force[i] = force_of(b, &columns, i);
    }
    set_frames(joint, &set->reaction);
    scene->joint_count = m->joint_count;
    scene->joint = joint;
    scene->force_count = m->force_count;
    scene->force = force;
    set_up(scene, m);
    const crank_status status = fill_bodies(scene, b, set, err);
    return status == CRANK_OK ? choose_plots(scene, b, err) : status;
}

crank_status crank_mechanism_scene(crank_model *model, crank_builder *b,
                                   const crank_output_set *set, crank_error *err)
{
    const crank_mechanism *m = b->mechanism;
    crank_scene scene = {.dimension = m->dimension, .follow = -1};
    crank_scene_points points = {0};
    crank_scene_box box = {0};
    model->title = crank_model_keep_text(model, m->title);
    if (m->body_count == 0 && m->view == NULL) {
        return model->store.failed ? no_memory(err) : CRANK_OK;
    }
    crank_status status = fill(&scene, b, set, err);
    if (status != CRANK_OK) {
        return status;
    }
    if (!list_points(&scene, m->body_count, b->store, &points)) {
        return no_memory(err);
    }
    if (m->view != NULL) {
        const crank_scene_columns columns = {.count = model->column_count,
                                             .name = model->column_name};
        status = crank_scene_apply(&scene, m->view, &columns, b->store, &box, err);
    }
    if (status == CRANK_OK) {
        const double reach = measure(&scene, m, &points, &box);
        crank_scene_measure(&scene, &box, reach);
        status = crank_scene_roads(b, err);
    }
    if (status == CRANK_OK) {
        status = add_curves(&scene, b) ? CRANK_OK : no_memory(err);
    }
    if (status == CRANK_OK) {
        status = guess_shapes(&scene, m, &points, err);
    }
    return status == CRANK_OK ? crank_model_keep_scene(model, &scene, err) : status;
}
