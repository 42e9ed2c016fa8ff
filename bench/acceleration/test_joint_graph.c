/* test_joint_graph.c - profile, bandwidth and work of orders of joints; bad numberings of the
 * chain of 50 pendulums and of Andrews' seven bodies are repaired [Neg98]. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "joint_graph.h"

enum { MOST = 64, EDGES = 1024 };

typedef struct graph {
    int n, start[MOST + 1], other[EDGES];
} graph;

/* joints with the same body are neighbours; body: two for each joint, -1: ground */
static graph make(int n, int (*body)[2])
{
    graph g = {.n = n};
    for (int i = 0; i < n; i++) {
        g.start[i + 1] = g.start[i];
        for (int j = 0; j < n; j++) {
            bool shared = false;
            for (int k = 0; k < 4; k++) {
                const int a = body[i][k / 2];
                shared = shared || (a >= 0 && a == body[j][k % 2]);
            }
            if (i != j && shared) {
                g.other[g.start[i + 1]++] = j;
            }
        }
    }
    return g;
}

static crank_envelope measure(const graph *g, bool order)
{
    const crank_joint_graph joints = {g->n, g->start, g->other};
    int place[MOST];
    bool taken[MOST] = {false};
    for (int i = 0; i < g->n; i++) {
        place[i] = i;
    }
    assert_true(!order || crank_joint_graph_order(&joints, place));
    for (int i = 0; i < g->n; i++) {
        assert_true(place[i] >= 0 && place[i] < g->n && !taken[place[i]]);
        taken[place[i]] = true;
    }
    return crank_joint_graph_measure(&joints, place);
}

static void check(crank_envelope e, int bandwidth, long profile, long work)
{
    assert_int_equal(e.bandwidth, bandwidth);
    assert_int_equal(e.profile, profile);
    assert_int_equal(e.work, work);
}

static void a_chain_has_a_band_of_one(void **state)
{
    int natural[50][2], bad[50][2];
    for (int i = 0; i < 50; i++) { /* along the chain the numbers are 1, 50, 2, 49, ... */
        const int number = i % 2 == 0 ? i / 2 : 49 - i / 2;
        natural[i][0] = bad[number][0] = i - 1;
        natural[i][1] = bad[number][1] = i;
    }
    const graph good = make(50, natural), other = make(50, bad);
    check(measure(&good, false), 1, 49, 98);
    check(measure(&other, false), 49, 625, 11350);
    check(measure(&other, true), 1, 49, 98);
}

/* best possible: profile 14; the work of 39 belongs to a bandwidth of 5 */
static void seven_bodies_have_the_least_profile(void **state)
{
    int joints[10][2] = {{-1, 0}, {0, 1}, {1, 2},  {-1, 2}, {2, 3},
                         {2, 5},  {3, 4}, {-1, 4}, {5, 6},  {-1, 6}};
    const graph g = make(10, joints);
    const crank_envelope e = measure(&g, true);
    print_message("seven bodies: bandwidth %d, profile %ld, work %ld\n", e.bandwidth, e.profile,
                  e.work);
    assert_int_equal(e.profile, 14);
    assert_true(e.work <= 39);
}

static void parts_that_are_not_connected_are_all_numbered(void **state)
{
    int joints[6][2] = {{-1, 0}, {-1, 1}, {0, 2}, {1, 3}, {-1, 4}, {2, 5}};
    const graph g = make(6, joints);
    assert_int_equal(measure(&g, true).profile, 3);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_has_a_band_of_one),
        cmocka_unit_test(seven_bodies_have_the_least_profile),
        cmocka_unit_test(parts_that_are_not_connected_are_all_numbered),
    };
    return CHECK_RUN(argc, argv, tests);
}
