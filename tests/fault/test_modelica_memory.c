/* test_modelica_memory.c - a Modelica file read while one allocation after the other fails: a
 * status, no crash, nothing leaks. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"
#include "fault/allocation_counter.h"

#include <crank/model.h>

#include <string.h>

static const char source[] =
    "package P\n"
    "  connector Pin\n    Real v;\n    flow Real i;\n  end Pin;\n"
    "  function f\n    input Real x[:];\n    output Real y = 0;\n  algorithm\n"
    "    for k in 1:size(x, 1) loop\n      if x[k] > 0 then\n        y := y + x[k];\n      end "
    "if;\n"
    "    end for;\n  end f;\n"
    "  model R\n    Pin p, n;\n    parameter Real r = 2;\n  equation\n    p.v - n.v = r*p.i;\n"
    "    p.i + n.i = 0;\n  end R;\n"
    "  model S\n    Pin p;\n    Real u;\n  equation\n    p.v = u;\n  end S;\n"
    "  model M \"a text\"\n    S s, g;\n    R a[2](r = {1, 2});\n    Real x(start = 1, fixed = "
    "true), y = "
    "f({x, 2});\n"
    "    Boolean b = x > 0.5;\n    discrete Integer n(start = 0);\n  initial equation\n    n = "
    "3;\n"
    "  equation\n    connect(a[1].n, a[2].p);\n    connect(s.p, a[1].p);\n    connect(a[2].n, "
    "g.p);\n"
    "    s.u = x;\n    g.u = 0;\n"
    "    der(x) = if b then -x else -a[1].p.i;\n"
    "    when x < 0.25 then\n      n = pre(n) + 1;\n    end when;\n"
    "    assert(x > -1, \"x is too small\");\n  end M;\nend P;\n";

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (int64_t n = 0;; n++) {
        crank_model *model = NULL;
        crank_error err = {0};
        allocation_counter_fail(n);
        const crank_status status =
            crank_model_read_text("test.mo", source, strlen(source), NULL, &model, &err);
        const bool failed = allocation_counter_failed();
        crank_model_destroy(model);
        if (!failed) {
            CHECK_OK(status, err);
            return;
        }
        if (status != CRANK_EMEM) {
            print_error("allocation %lld: %s\n", (long long)n, err.text);
        }
        CHECK_STATUS(status, CRANK_EMEM);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
    return CHECK_RUN(argc, argv, tests);
}
