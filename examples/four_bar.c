/* four_bar.c - a crank and rocker built without a file: links of 1, 3 and 2.5 on a base of 3,
 * the crank turning once a second; prints the angle of the rocker and the torque of the
 * drive. */
// SPDX-License-Identifier: BSD-3-Clause
#include <crank/crank.h>

#include <math.h>
#include <stdio.h>

/* a uniform link of mass 1 per length from (x0, y0) to (x1, y1) */
static void add_link(crank_draft *draft, const char *name, double x0, double y0, double x1,
                     double y1)
{
    const double length = hypot(x1 - x0, y1 - y0);
    crank_add_body(draft, &(crank_body_def){.name = name,
                                            .mass = length,
                                            .inertia = {0, 0, length * length * length / 12},
                                            .position = {(x0 + x1) / 2, (y0 + y1) / 2},
                                            .angle = atan2(y1 - y0, x1 - x0)});
}

static void add_hinge(crank_draft *draft, const char *name, const char *first,
                      const char *second, double x, double y)
{
    crank_add_joint(
        draft, &(crank_joint_def){
                   .name = name, .type = "revolute", .between = {first, second}, .at = {x, y}});
}

int main(void)
{
    crank_draft *draft = crank_draft_create("mechanism");
    crank_model *model = NULL;
    crank_run *run = NULL;
    crank_error err = {0};
    const double a = acos(9.0 / 16.0), x = 1 + 3 * cos(a), y = 3 * sin(a); /* 2.5 from (3, 0) */
    crank_draft_set(draft, "dimension", "2");
    crank_draft_set(draft, "gravity", "[0, -9.81]");
    add_link(draft, "crank", 0, 0, 1, 0);
    add_link(draft, "coupler", 1, 0, x, y);
    add_link(draft, "rocker", 3, 0, x, y);
    add_hinge(draft, "A", "ground", "crank", 0, 0);
    add_hinge(draft, "B", "crank", "coupler", 1, 0);
    add_hinge(draft, "C", "coupler", "rocker", x, y);
    add_hinge(draft, "D", "ground", "rocker", 3, 0);
    crank_add_joint(draft,
                    &(crank_joint_def){.name = "motor",
                                       .type = "driver",
                                       .keys = {{"of", "joint.A.angle"}, {"is", "2*pi*t"}}});
    crank_draft_set(draft, "simulate.t_end", "1");
    crank_status status = crank_draft_model(draft, NULL, &model, &err);
    status = status ? status : crank_run_open_model(model, NULL, &run, &err);
    for (int i = 0; i <= 10 && status == CRANK_OK; i++) {
        status = crank_run_advance(run, 0.1 * i, &err);
        (void)printf("%.1f %.6f %.6f\n", crank_run_time(run),
                     crank_run_value(run, "body.rocker.angle"),
                     crank_run_value(run, "joint.motor.effort"));
    }
    if (status != CRANK_OK) {
        (void)fprintf(stderr, "%s\n", err.text);
    }
    crank_run_close(run);
    crank_model_destroy(model);
    crank_draft_destroy(draft);
    return status == CRANK_OK ? 0 : 1;
}
