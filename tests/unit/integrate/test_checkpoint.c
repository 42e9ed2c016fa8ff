/* test_checkpoint.c - what crank_integrator_save and crank_integrator_load promise besides bits
 * (those:
 * test_checkpoint_models.c): nothing is changed by saving, damaged or foreign bytes are refused
 * with a reason and never do harm, counters go on. */
// SPDX-License-Identifier: BSD-3-Clause
#include "eom/eom.h"
#include "eoms.h"
#include "integrate/create.h"
#include "order/run.h"
#include "relay.h"

enum { CHAIN = 4 }; /* links */

/* a run of one of the models below, with everything it needs */
typedef struct subject {
    test_pendulum pendulum;
    test_chain chain;
    crank_eom *eom;
    double x[32];
    run r;
} subject;

static void begin_pendulum(subject *s, const char *formulation, const crank_options *options)
{
    *s = (subject){.pendulum = test_pendulum_default()};
    s->eom = test_pendulum_create(&s->pendulum);
    test_pendulum_start(&s->pendulum, 1.0, 0.5, s->x);
    run_begin(&s->r, formulation, s->eom, options, 0.0, s->x, 2.0);
}

/* redundant and sparse */
static void begin_chain(subject *s, const char *formulation, const crank_options *options)
{
    crank_options sparse = *options;
    *s = (subject){.chain = {.count = CHAIN, .copies = 1, .m = 1.0, .L = 0.5, .g = 9.81}};
    sparse.linear_algebra = CRANK_LINALG_SPARSE;
    s->eom = test_chain_create(&s->chain);
    test_chain_start(&s->chain, s->x);
    run_begin(&s->r, formulation, s->eom, &sparse, 0.0, s->x, 2.0);
}

/* hidden constraints and Jacobian by differences */
static void begin_differences(subject *s, const char *formulation, const crank_options *options)
{
    *s = (subject){.pendulum = test_pendulum_default()};
    s->pendulum.supply.levels = CRANK_LEVELS_POSITION;
    s->pendulum.supply.no_jacobian = true;
    s->eom = test_pendulum_create(&s->pendulum);
    test_pendulum_start(&s->pendulum, 1.0, 0.5, s->x);
    run_begin(&s->r, formulation, s->eom, options, 0.0, s->x, 2.0);
}

static void end(subject *s)
{
    run_end(&s->r);
    crank_eom_destroy(s->eom);
    if (s->chain.count > 0) {
        test_chain_free(&s->chain);
    }
}

typedef void begin_fn(subject *s, const char *formulation, const crank_options *options);

/* where the checksum of changed bytes must be right */
static void set_checksum(unsigned char *data, size_t size)
{
    const uint64_t sum = crank_hash(CRANK_HASH_START, data, size - sizeof sum);
    memcpy(data + size - sizeof sum, &sum, sizeof sum);
}

static void steps(subject *s, int count)
{
    for (int i = 0; i < count; i++) {
        CHECK_OK(crank_integrator_step(s->r.it, &s->r.err), s->r.err);
    }
}

static void *saved(subject *s, size_t *size)
{
    void *data = NULL;
    CHECK_OK(crank_integrator_save(s->r.it, &data, size, &s->r.err), s->r.err);
    assert_non_null(data);
    return data;
}

static void saving_changes_nothing(void **state)
{
    static const char *const formulations[] = {"psf", "peom1", "gmkssol"};
    const crank_options options = run_tolerance(1e-5);
    for (int f = 0; f < 4; f++) {
        begin_fn *begin = f < 3 ? begin_pendulum : begin_chain;
        subject plain, watched;
        begin(&plain, formulations[f % 3], &options);
        begin(&watched, formulations[f % 3], &options);
        for (int i = 0; i < 60; i++) {
            size_t size = 0;
            free(saved(&watched, &size));
            steps(&plain, 1);
            steps(&watched, 1);
            assert_memory_equal(crank_integrator_state(plain.r.it),
                                crank_integrator_state(watched.r.it),
                                (size_t)plain.r.problem->n * sizeof(double));
        }
        assert_true(relay_hash_statistics(CRANK_HASH_START, plain.r.it) ==
                    relay_hash_statistics(CRANK_HASH_START, watched.r.it));
        end(&plain);
        end(&watched);
    }
}

static void equations_in_c_continue_bit_for_bit(void **state)
{
    static begin_fn *const begins[] = {begin_pendulum, begin_chain, begin_differences};
    const crank_options options = run_tolerance(1e-5);
    for (int f = 0; f < 3; f++) {
        subject a, b;
        size_t size = 0;
        begins[f](&a, "psf", &options);
        begins[f](&b, "psf", &options);
        steps(&a, 10);
        void *data = saved(&a, &size);
        CHECK_OK(crank_integrator_load(b.r.it, data, size, &b.r.err), b.r.err);
        for (int i = 0; i < 40; i++) {
            steps(&a, 1);
            steps(&b, 1);
            assert_memory_equal(crank_integrator_state(a.r.it), crank_integrator_state(b.r.it),
                                (size_t)a.r.problem->n * sizeof(double));
        }
        assert_true(relay_hash_statistics(CRANK_HASH_START, a.r.it) ==
                    relay_hash_statistics(CRANK_HASH_START, b.r.it));
        free(data);
        end(&a);
        end(&b);
    }
}

static void used_integrator_goes_back(void **state)
{
    const crank_options options = run_tolerance(1e-5);
    for (int f = 0; f < 2; f++) {
        subject s;
        size_t size = 0;
        double x[32];
        (f == 0 ? begin_pendulum : begin_chain)(&s, "psf", &options);
        const size_t bytes = (size_t)s.r.problem->n * sizeof *x;
        steps(&s, 10);
        void *data = saved(&s, &size);
        steps(&s, 40);
        memcpy(x, crank_integrator_state(s.r.it), bytes);
        const uint64_t counters = relay_hash_statistics(CRANK_HASH_START, s.r.it);
        CHECK_OK(crank_integrator_load(s.r.it, data, size, &s.r.err), s.r.err);
        steps(&s, 40);
        assert_memory_equal(x, crank_integrator_state(s.r.it), bytes);
        assert_true(relay_hash_statistics(CRANK_HASH_START, s.r.it) == counters);
        free(data);
        end(&s);
    }
}

static void seconds_go_on(void **state)
{
    const crank_options options = run_tolerance(1e-6);
    subject s, other;
    size_t size = 0;
    begin_pendulum(&s, "psf", &options);
    begin_pendulum(&other, "psf", &options);
    steps(&s, 50);
    const double before = crank_integrator_statistics(s.r.it).seconds;
    void *data = saved(&s, &size);
    CHECK_OK(crank_integrator_load(other.r.it, data, size, &other.r.err), other.r.err);
    CHECK_NEAR(crank_integrator_statistics(other.r.it).seconds, before, 0.0);
    assert_int_equal(crank_integrator_statistics(other.r.it).steps, 50);
    steps(&other, 1);
    assert_true(crank_integrator_statistics(other.r.it).seconds > before);
    free(data);
    end(&s);
    end(&other);
}

static void error_of_the_last_step_is_told(void **state)
{
    const crank_options options = run_tolerance(1e-6);
    subject s;
    begin_pendulum(&s, "psf", &options);
    assert_true(isnan(crank_integrator_last_error(s.r.it)));
    for (int i = 0; i < 20; i++) {
        steps(&s, 1);
        const double error = crank_integrator_last_error(s.r.it);
        assert_true(error > 0.0 && error < 1.0); /* larger ones are not accepted */
    }
    CHECK_OK(crank_integrator_start(s.r.it, 0.0, s.x, 2.0, &s.r.err), s.r.err);
    assert_true(isnan(crank_integrator_last_error(s.r.it)));
    end(&s);
}

static void what_cannot_be_saved_is_refused(void **state)
{
    const crank_options options = run_tolerance(1e-6);
    subject s;
    crank_integrator *it = NULL;
    void *data = &s;
    size_t size = 1;
    begin_pendulum(&s, "psf", &options);
    CHECK_OK(crank_integrator_create("radau", s.r.problem, &options, &it, &s.r.err), s.r.err);
    CHECK_STATUS(crank_integrator_save(it, &data, &size, &s.r.err), CRANK_EARG);
    CHECK_CONTAINS(s.r.err.text, "crank_integrator_start");
    assert_null(data);
    assert_int_equal(size, 0);
    CHECK_STATUS(crank_integrator_load(it, "x", 1, &s.r.err), CRANK_EARG);
    s.r.problem->archive = NULL;
    CHECK_STATUS(crank_integrator_save(s.r.it, &data, &size, &s.r.err), CRANK_EARG);
    CHECK_CONTAINS(s.r.err.text, "psf");
    crank_integrator_destroy(it);
    end(&s);
}

static void every_damaged_byte_and_every_cut_is_refused(void **state)
{
    const crank_options options = run_tolerance(1e-6);
    subject s;
    size_t size = 0;
    begin_pendulum(&s, "psf", &options);
    steps(&s, 5);
    unsigned char *data = saved(&s, &size);
    for (size_t i = 0; i < size; i++) {
        data[i] ^= (unsigned char)(1u << (i % 8));
        CHECK_STATUS(crank_integrator_load(s.r.it, data, size, &s.r.err), CRANK_EFILE);
        CHECK_CONTAINS(s.r.err.text, "checkpoint");
        data[i] ^= (unsigned char)(1u << (i % 8));
    }
    for (size_t length = 0; length < size; length++) {
        CHECK_STATUS(crank_integrator_load(s.r.it, data, length, &s.r.err), CRANK_EFILE);
    }
    CHECK_STATUS(crank_integrator_load(s.r.it, NULL, 0, &s.r.err), CRANK_EFILE);
    CHECK_OK(crank_integrator_load(s.r.it, data, size, &s.r.err), s.r.err);
    free(data);
    end(&s);
}

/* with a right checksum bytes may be taken for what they are not, but indices stay in range */
static void forged_bytes_do_no_harm(void **state)
{
    static const char *const formulations[] = {"psf", "peom1", "gmkssol", "psf"};
    const crank_options options = run_tolerance(1e-4);
    int refused = 0, taken = 0;
    for (int f = 0; f < 4; f++) {
        begin_fn *begin = f < 3 ? begin_pendulum : begin_chain;
        subject s;
        size_t size = 0;
        begin(&s, formulations[f], &options);
        steps(&s, 5);
        unsigned char *data = saved(&s, &size);
        end(&s);
        for (size_t i = 0; i < size; i += 1 + size / 600) {
            double x[32];
            data[i] ^= 0x55;
            set_checksum(data, size);
            begin(&s, formulations[f], &options);
            if (crank_integrator_load(s.r.it, data, size, &s.r.err) == CRANK_OK) {
                const double t = crank_integrator_time(s.r.it);
                (void)crank_integrator_interpolate(
                    s.r.it, t - 0.5 * crank_integrator_last_step(s.r.it), x, &s.r.err);
                (void)crank_integrator_step(s.r.it, &s.r.err);
                taken++;
            } else {
                assert_true(s.r.err.text[0] != '\0');
                refused++;
            }
            end(&s);
            data[i] ^= 0x55;
        }
        free(data);
    }
    assert_true(refused > 100 && taken > 100);
}

static void longer_and_shorter_content_is_refused(void **state)
{
    const crank_options options = run_tolerance(1e-6);
    subject s;
    size_t size = 0;
    begin_chain(&s, "psf", &options);
    steps(&s, 5);
    unsigned char *data = saved(&s, &size), *longer = calloc(size + 8, 1);
    assert_non_null(longer);
    memcpy(longer, data, size);
    set_checksum(longer, size + 8);
    CHECK_STATUS(crank_integrator_load(s.r.it, longer, size + 8, &s.r.err), CRANK_EFILE);
    for (size_t length = size - 8; length > 64; length -= length / 8) {
        memcpy(longer, data, length);
        set_checksum(longer, length);
        CHECK_STATUS(crank_integrator_load(s.r.it, longer, length, &s.r.err), CRANK_EFILE);
    }
    free(data);
    free(longer);
    end(&s);
}

/* the other run's bytes into this one */
static void check_foreign(subject *from, subject *to, const char *reason)
{
    size_t size = 0;
    void *data = saved(from, &size);
    CHECK_STATUS(crank_integrator_load(to->r.it, data, size, &to->r.err), CRANK_EFILE);
    CHECK_CONTAINS(to->r.err.text, reason);
    free(data);
    end(from);
    end(to);
}

static void other_runs_are_refused_with_the_reason(void **state)
{
    const crank_options options = run_tolerance(1e-6), loose = run_tolerance(1e-3);
    subject a, b;
    begin_pendulum(&a, "psf", &options);
    begin_pendulum(&b, "gmkssol", &options);
    check_foreign(&a, &b, "made with formulation psf, this is gmkssol");
    begin_pendulum(&a, "psf", &options);
    begin_pendulum(&b, "psf", &loose);
    check_foreign(&a, &b, "option rtol is 1e-06 in the checkpoint and 0.001 here");
    begin_pendulum(&a, "psf", &options);
    begin_chain(&b, "psf", &options);
    check_foreign(&a, &b, "unknowns is 5 there and 21 here");
    begin_pendulum(&a, "psf", &options);
    begin_pendulum(&b, "psf", &options);
    CHECK_OK(crank_integrator_start(b.r.it, 0.0, b.x, 3.0, &b.r.err), b.r.err);
    check_foreign(&a, &b, "ends at t = 2, this one at 3");
    begin_pendulum(&a, "psf", &options);
    begin_pendulum(&b, "psf", &options);
    b.pendulum.g = 9.81; /* the same start, another model */
    CHECK_OK(crank_integrator_start(b.r.it, 0.0, b.x, 2.0, &b.r.err), b.r.err);
    check_foreign(&a, &b, "the model or its initial values differ");
}

/* ---- equations with a memory ---- */

enum { PATIENCE = 12 };

/* the pendulum, which fails for good after so many accepted points */
typedef struct counting {
    void *self; /* of the supplier underneath */
    crank_eom_supplier supplier;
    int count;
} counting;

static crank_status evaluate(void *self, int count, const double *t, const double *x, int rows,
                             double *k, crank_error *err)
{
    counting *c = self;
    return c->count < PATIENCE ? c->supplier.evaluate(c->self, count, t, x, rows, k, err)
                               : crank_fail(err, CRANK_ESTOP_EQUATIONS, "point %d", c->count);
}

static crank_status jacobian(void *self, double t, const double *x, const double *vdot,
                             double *values, crank_error *err)
{
    counting *c = self;
    return c->supplier.jacobian(c->self, t, x, vdot, values, err);
}

static crank_status mass(void *self, double t, const double *x, double *values,
                         crank_error *err)
{
    counting *c = self;
    return c->supplier.mass(c->self, t, x, values, err);
}

static crank_status accepted(void *self, double t, const double *x, crank_error *err)
{
    (void)err;
    (void)t;
    (void)x;
    ((counting *)self)->count++;
    return CRANK_OK;
}

static void archive(void *self, crank_archive *a)
{
    crank_archive_int(a, &((counting *)self)->count, 0, PATIENCE);
}

static void begin_counting(subject *s, counting *c)
{
    const crank_options options = run_tolerance(1e-6);
    begin_pendulum(s, "psf", &options);
    *c = (counting){.self = s->eom->self, .supplier = s->eom->supplier};
    s->eom->self = c;
    s->eom->supplier.evaluate = evaluate;
    s->eom->supplier.jacobian = jacobian;
    s->eom->supplier.mass = mass;
    s->eom->supplier.accepted = accepted;
    s->eom->supplier.archive = archive;
    CHECK_OK(crank_integrator_start(s->r.it, 0.0, s->x, 2.0, &s->r.err), s->r.err);
}

static void end_counting(subject *s, const counting *c)
{
    s->eom->self = c->self;
    s->eom->supplier = c->supplier;
    end(s);
}

static void memory_of_the_equations_and_their_failure_go_over(void **state)
{
    subject a, b;
    counting of_a, of_b;
    size_t size = 0;
    begin_counting(&a, &of_a);
    begin_counting(&b, &of_b);
    steps(&a, PATIENCE - 1); /* the start counts; the next call tells of the failure */
    assert_int_equal(of_a.count, PATIENCE);
    void *data = saved(&a, &size);
    CHECK_OK(crank_integrator_load(b.r.it, data, size, &b.r.err), b.r.err);
    assert_int_equal(of_b.count, PATIENCE);
    CHECK_STATUS(crank_integrator_step(a.r.it, &a.r.err), CRANK_ESTOP_EQUATIONS);
    CHECK_STATUS(crank_integrator_step(b.r.it, &b.r.err), CRANK_ESTOP_EQUATIONS);
    CHECK_CONTAINS(a.r.err.text, "point 12");
    assert_string_equal(a.r.err.text, b.r.err.text);
    free(data);
    end_counting(&a, &of_a);
    end_counting(&b, &of_b);
}

static void equations_that_do_not_say_what_they_remember_are_refused(void **state)
{
    subject s;
    counting c;
    void *data = NULL;
    size_t size = 0;
    begin_counting(&s, &c);
    s.eom->supplier.archive = NULL;
    CHECK_STATUS(crank_integrator_save(s.r.it, &data, &size, &s.r.err), CRANK_EARG);
    CHECK_CONTAINS(s.r.err.text, "remember");
    assert_null(data);
    end_counting(&s, &c);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(saving_changes_nothing),
        cmocka_unit_test(equations_in_c_continue_bit_for_bit),
        cmocka_unit_test(used_integrator_goes_back),
        cmocka_unit_test(seconds_go_on),
        cmocka_unit_test(error_of_the_last_step_is_told),
        cmocka_unit_test(what_cannot_be_saved_is_refused),
        cmocka_unit_test(every_damaged_byte_and_every_cut_is_refused),
        cmocka_unit_test(forged_bytes_do_no_harm),
        cmocka_unit_test(longer_and_shorter_content_is_refused),
        cmocka_unit_test(other_runs_are_refused_with_the_reason),
        cmocka_unit_test(memory_of_the_equations_and_their_failure_go_over),
        cmocka_unit_test(equations_that_do_not_say_what_they_remember_are_refused),
    };
    return CHECK_RUN(argc, argv, tests);
}
