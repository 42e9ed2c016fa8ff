/* base.h - what every other header needs: export macro, status codes, the error record,
 * warnings.
 *
 * Every fallible call returns a crank_status: zero is fine, positive means "not here, try a
 * shorter step", negative is final. Details go into the caller's crank_error (may be NULL). */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_BASE_H
#define CRANK_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CRANK_API                 __attribute__((visibility("default")))
#define CRANK_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CRANK_API
#define CRANK_PRINTF(text, first)
#endif

#define CRANK_VERSION_MAJOR 0
#define CRANK_VERSION_MINOR 1
#define CRANK_VERSION_PATCH 0

/* Status list: name, value, sentence. The numbers in brackets are the codes of the GEOMS (G)
 * and GMKSSOL (K) manuals that the status stands for. */
// clang-format off
#define CRANK_STATUS_LIST(X)                                                                   \
    X(OK, 0, "success")                                                                        \
    X(RETRY, 1, "outside the domain of the model; a shorter step may help")                    \
    /* G-1001 G-1002 K-1001 K-1003 K-1012 K-1013 */                                            \
    X(EARG, -1, "an argument or option is out of range")                                       \
    X(EMEM, -2, "out of memory")                                                               \
    X(EFILE, -3, "a file cannot be read or written")                                           \
    X(ESYNTAX, -4, "a model file is not well formed")                                          \
    X(EMODEL, -5, "the model is wrong")                                                        \
    X(ETIME, -6, "the end time lies before the start time")                    /* G-1106 */    \
    /* K-1304 K-1306 K-1301 */                                                                 \
    X(EREFUSED, -7, "the method does not apply to this model")                                 \
    /* G-1105 K-1006 */                                                                        \
    X(EINCONSISTENT, -8, "the initial values are inconsistent")                                \
    /* G-2104 K-1710 */                                                                        \
    X(EINIT_CONTRADICTION, -9, "constraints and initial conditions contradict each other")     \
    /* G-2105 K-1720 */                                                                        \
    X(EINIT_CONVERGENCE, -10, "no consistent initial values found within the iteration limit") \
    /* G-2106 */                                                                               \
    X(EINIT_UNDETERMINED, -11,                                                                 \
      "constraints and initial conditions do not determine the state")                         \
    /* G-1401 G-2601 */                                                                        \
    X(EREDUNDANT_ACCELERATION, -12, "dependent rows on acceleration level, or d_w singular")   \
    /* G-1402 G-2602 */                                                                        \
    X(EREDUNDANT_VELOCITY, -13, "dependent rows on velocity level, or dependent invariants")   \
    /* G-1403 G-2603 */                                                                        \
    X(EREDUNDANT_POSITION, -14, "dependent rows on position level, or c_s singular")           \
    /* G-2401 K-1303 K-1004 */                                                                 \
    X(ERANK_CHANGED, -15, "the rank of the constraints changed")                               \
    /* G-2402 G-2403 */                                                                        \
    X(ERANK_MISMATCH, -16, "the rank deficiencies of the constraint levels differ")            \
    X(ESINGULAR, -17, "a singular position was reached")                                       \
    /* G-1111..1114 G-1128 G-1129 G-180x G-2004 G-2103 G-2404 K-1302 K<-1730 */                \
    X(EDECOMPOSITION, -18, "a matrix decomposition failed")                                    \
    /* G-1115 G-1116 K-1604 */                                                                 \
    X(ENEWTON, -19, "Newton's iteration repeatedly fails to converge")                         \
    /* G-1117 K-1007 K-1602 */                                                                 \
    X(EMAX_STEPS, -20, "the limit on the number of steps is reached")                          \
    /* G-1118 K-1603 */                                                                        \
    X(ESTEP_TOO_SMALL, -21, "the step size became too small")                                  \
    /* G-1101 K-1011 K-1601 */                                                                 \
    X(ESTOP_OUTPUT, -22, "stopped by the output function")                                     \
    /* G-1102 G-1201 G-2101 K-1010 K-1305 K-1505 */                                            \
    X(ESTOP_EQUATIONS, -23, "stopped by the equations")                                        \
    X(ESTOP_MASS, -24, "stopped by the mass matrix")                           /* G-1103 */    \
    X(ESTOP_JACOBIAN, -25, "stopped by the Jacobian")                          /* G-1104 */    \
    X(ESTOP_INITIAL, -26, "stopped by the initial conditions")                 /* G-2102 */    \
    X(EINTERRUPTED, -27, "interrupted")                                                        \
    X(ECOMPILE, -28, "the system's C compiler failed")                                         \
    X(ENOTFINITE, -29, "a value is not finite")                                                \
    X(EINTERNAL, -30, "internal error")                                                        \
    X(EEVENTS, -31, "events follow each other without end")
// clang-format on

typedef enum crank_status {
#define CRANK_STATUS_ENUM(name, value, text) CRANK_##name = (value),
    CRANK_STATUS_LIST(CRANK_STATUS_ENUM)
#undef CRANK_STATUS_ENUM
} crank_status;

/* Of use only after a call that failed: calls that succeed may leave anything in it. */
typedef struct crank_error {
    crank_status status;
    int line, column; /* place in the user's file, 0 if none */
    char text[480];   /* one sentence, no newline, with the offending name and number */
    char file[240];   /* the included file that the place is in; empty: the model's own file */
    /* what the caller gave is wrong (a setting, an option, a method), not the model */
    bool given;
} crank_error;

typedef enum crank_level { CRANK_INFO, CRANK_WARNING } crank_level;

/* Receives a message; text is valid only during the call. */
typedef void crank_log_fn(crank_level level, const char *text, void *user);
typedef struct crank_log {
    crank_log_fn *write; /* NULL: messages are dropped */
    void *user;
} crank_log;

/* A pattern of non-zeros, compressed columns, 0-based, rows rising in each column. */
typedef struct crank_pattern {
    int rows, columns;
    const int *start; /* columns + 1 */
    const int *row;   /* start[columns] */
} crank_pattern;

/* A matrix that may be made by differences: its pattern, and groups of columns that are
 * differenced together. */
typedef struct crank_newton_pattern {
    crank_pattern pattern;
    int groups;                            /* 0: it is not made by differences */
    const int *group_start, *group_column; /* groups + 1, into columns */
} crank_newton_pattern;

CRANK_API const char *crank_version(void);      /* "0.1.0" */
CRANK_API const char *crank_program_file(void); /* opens the file of the running program */
CRANK_API const char *crank_status_name(crank_status status); /* "ESINGULAR" */
CRANK_API const char *crank_status_text(crank_status status); /* the sentence of the list */

/* Fills err (if not NULL) and returns status, so that "return crank_fail(...)" ends a
 * function. */
CRANK_API crank_status crank_fail(crank_error *err, crank_status status, const char *format,
                                  ...) CRANK_PRINTF(3, 4);
/* The same with a place in the user's file. */
CRANK_API crank_status crank_fail_at(crank_error *err, crank_status status, int line,
                                     int column, const char *format, ...) CRANK_PRINTF(5, 6);
CRANK_API void crank_log_write(const crank_log *log, crank_level level, const char *format, ...)
    CRANK_PRINTF(3, 4);

#ifdef __cplusplus
}
#endif

#endif
