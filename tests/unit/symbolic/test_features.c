/* test_features.c - which parts of expressions may rise and fall within a short stretch. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "symbolic/features.h"

static crank_ex_role role_of(crank_ex symbol, const void *user)
{
    const char *name = crank_ex_symbol_name(user, symbol);
    return name[0] == 't'   ? CRANK_ROLE_TIME
           : name[0] == 'a' ? CRANK_ROLE_CONSTANT
           : name[0] == 'u' ? CRANK_ROLE_UNKNOWN
                            : CRANK_ROLE_VARIABLE;
}

static double bump_x[3] = {0.0, 1.0, 2.0}, bump_y[3] = {0.0, 1.0, 0.0};
static const crank_table_data bump = {
    .way = {CRANK_LINEAR, CRANK_HOLD}, .rows = 3, .x = bump_x, .y = bump_y, .name = "bump"};
static const crank_table_data ramp = {
    .way = {CRANK_LINEAR, CRANK_HOLD}, .rows = 2, .x = bump_x, .y = bump_y, .name = "ramp"};

static const crank_table_data *find_table(const char *name, void *user, crank_error *err)
{
    (void)user;
    (void)err;
    return strcmp(name, "bump") == 0 ? &bump : strcmp(name, "ramp") == 0 ? &ramp : NULL;
}

typedef struct expectation {
    const char *text;
    int values, edges, tables, flat;
    bool sampled;
} expectation;

static void check_all(const expectation *expected, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const expectation *e = &expected[i];
        crank_pool *pool = crank_pool_create();
        crank_ex root = -1;
        crank_ex_features found;
        crank_error err = {0};
        crank_pool_set_tables(pool, find_table, NULL);
        CHECK_OK(crank_ex_parse(pool, e->text, 1, 1, NULL, NULL, &root, &err), err);
        CHECK_OK(crank_ex_find_features(pool, 1, &root, role_of, pool, &found, &err), err);
        if (found.value_count != e->values || found.edge_count != e->edges ||
            found.table_count != e->tables || found.flat_count != e->flat ||
            found.sampled != e->sampled) {
            fail_msg("%s: %d parts, %d edges, %d tables, %d flat%s", e->text, found.value_count,
                     found.edge_count, found.table_count, found.flat_count,
                     found.sampled ? ", sampled" : "");
        }
        crank_ex_features_free(&found);
        crank_pool_destroy(pool);
    }
}

static void bumps_of_one_variable_are_one_part(void **state)
{
    static const expectation expected[] = {
        {"y + 3*if(x > a and x < 2, sin(x), 0)", 1, 2, 0, 0, false},
        {"if(x < 1, 0, if(x < 2, 1, 0))*y", 1, 2, 0, 0, false},
        {"max(0, 1 - abs(x - 3))", 1, 1, 0, 0, true},
        {"(x > 1)*(x < 2) + y", 1, 2, 0, 0, false},
        {"2*bump(x - a) - y", 1, 0, 1, 0, false},
        {"y*exp(-((x - 100)/0.1)^2)", 1, 0, 0, 0, true},
        {"y + (tanh(x - 1) - tanh(x - 2))", 1, 0, 0, 2, false},
        {"y*(max(x - 3, 0)^6*exp(-max(x - 3, 0)))", 1, 1, 0, 1, false},
        {"exp(2*abs(x) - x/3)*x^2", 1, 1, 0, 1, false},
        {"exp(x*abs(x))*x^2", 1, 1, 0, 0, true},
        {"exp(abs(1 - abs(x)))*x^2", 1, 1, 0, 0, true},
        {"y*(1 + (x - 3)^2)^(-2)", 1, 0, 0, 0, true},
        {"y/(1 + (x - 3)^2)", 1, 0, 0, 0, true},
        {"bump(t)", 1, 0, 1, 0, false},
        {"exp(-(t - 1)^2)", 1, 0, 0, 0, true},
    };
    check_all(expected, sizeof expected / sizeof *expected);
}

static void what_rises_only_is_none(void **state)
{
    static const expectation expected[] = {
        {"3*x^2 + sin(x)*y + sqrt(x + 1)", 0, 0, 0, 0, false},
        {"a*y*tanh(x/0.01)", 0, 0, 0, 0, false},
        {"exp(-x)", 0, 0, 0, 0, false},
        {"max(0, x - 1)", 0, 0, 0, 0, false},
        {"max(0, 3*x + y)", 0, 0, 0, 0, false},
        {"if(x < 1, x, y)", 0, 0, 0, 0, false},
        {"sign(x)", 0, 0, 0, 0, false},
        {"ramp(x)", 0, 0, 0, 0, false},
        {"if(a > 1 and a < 2, x, y)", 0, 0, 0, 0, false},
        {"y/x", 0, 0, 0, 0, false},
    };
    check_all(expected, sizeof expected / sizeof *expected);
}

/* steps end where these change (switches.h) */
static void conditions_in_time_alone_are_left_to_switches(void **state)
{
    static const expectation expected[] = {
        {"if(t > 1 and t < 2, x, 0)", 0, 0, 0, 0, false},
        {"floor(t) + sign(t - 3)", 0, 0, 0, 0, false},
        {"if(t > 1 and x < 2 and x > 1, 3, 0)", 1, 2, 0, 0, false},
    };
    check_all(expected, sizeof expected / sizeof *expected);
}

static void parts_of_several_variables_are_functions_and_their_products(void **state)
{
    static const expectation expected[] = {
        {"3 + 2*bump(x - y)", 1, 0, 1, 0, false},
        {"exp(-x^2 - y^2)", 1, 0, 0, 0, false},
        {"(x > 1)*(y < 2)", 1, 2, 0, 0, false},
        {"y + abs(x) - abs(x - 1)", 0, 0, 0, 0, false},
        {"tanh(x) + tanh(y)", 0, 0, 0, 0, false},
        {"if(x^2 + y^2 < 1, 1, 0)", 1, 0, 0, 0, false},
        {"bump(x) + bump(y)", 2, 0, 2, 0, false},
    };
    check_all(expected, sizeof expected / sizeof *expected);
}

static void what_cannot_be_evaluated_is_left_out(void **state)
{
    static const expectation expected[] = {
        {"bump(u)", 0, 0, 0, 0, false},
        {"bump(u) + exp(-x^2)", 1, 0, 0, 0, true},
    };
    check_all(expected, sizeof expected / sizeof *expected);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bumps_of_one_variable_are_one_part),
        cmocka_unit_test(what_rises_only_is_none),
        cmocka_unit_test(conditions_in_time_alone_are_left_to_switches),
        cmocka_unit_test(parts_of_several_variables_are_functions_and_their_products),
        cmocka_unit_test(what_cannot_be_evaluated_is_left_out),
    };
    return CHECK_RUN(argc, argv, tests);
}
