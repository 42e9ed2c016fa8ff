/* symbolic.h - expressions: hash-consed nodes in a pool, parsed, differentiated, evaluated
 * fast, printed as C. One engine for force laws, equations files and Modelica.
 *
 * A crank_ex is an index into its pool: equal expressions have equal indices. Building an
 * expression simplifies it (constants folded, neutral elements, sorted commutative operands,
 * like terms). Indices stay valid until the pool is destroyed. Out of memory is sticky:
 * building calls return a valid index (of NaN) and crank_pool_status tells. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_SYMBOLIC_H
#define CRANK_SRC_SYMBOLIC_H

#include <crank/base.h>

#include "linalg/tabulated.h"

typedef struct crank_pool crank_pool;
typedef int crank_ex;

// clang-format off
/* functions of one argument: name, C expression name, (derivatives are in derivative.c) */
#define CRANK_FUNCTION_LIST(X) \
    X(SIN, "sin") X(COS, "cos") X(TAN, "tan") X(ASIN, "asin") X(ACOS, "acos") \
    X(ATAN, "atan") X(SINH, "sinh") X(COSH, "cosh") X(TANH, "tanh") X(ASINH, "asinh") \
    X(ACOSH, "acosh") X(ATANH, "atanh") X(EXP, "exp") X(LOG, "log") X(LOG10, "log10") \
    X(SQRT, "sqrt") X(CBRT, "cbrt") X(ABS, "abs") X(SIGN, "sign") X(FLOOR, "floor") \
    X(CEIL, "ceil") X(ERF, "erf") X(LOG1P, "log1p") X(EXPM1, "expm1")

typedef enum crank_ex_op {
    CRANK_EX_NUMBER, CRANK_EX_SYMBOL,
    CRANK_EX_ADD, CRANK_EX_MUL, CRANK_EX_DIV, CRANK_EX_POW, CRANK_EX_NEG,
    CRANK_EX_ATAN2, CRANK_EX_MIN, CRANK_EX_MAX, CRANK_EX_HYPOT,
    CRANK_EX_LT, CRANK_EX_LE, CRANK_EX_EQ, CRANK_EX_NE, CRANK_EX_AND, CRANK_EX_OR, CRANK_EX_NOT,
    /* the last seven: 0 or 1 */
    CRANK_EX_IF, /* (condition, then, else) */
    CRANK_EX_TABLE, /* (argument, table, order of the derivative): crank_ex_table */
#define CRANK_FUNCTION_ENUM(name, text) CRANK_EX_##name,
    CRANK_FUNCTION_LIST(CRANK_FUNCTION_ENUM)
#undef CRANK_FUNCTION_ENUM
    CRANK_EX_OPS
} crank_ex_op;
// clang-format on

crank_pool *crank_pool_create(void); /* NULL: out of memory */
void crank_pool_destroy(crank_pool *pool);
crank_status crank_pool_status(const crank_pool *pool);
int crank_pool_size(const crank_pool *pool); /* number of nodes */

/* building */
crank_ex crank_ex_number(crank_pool *pool, double value);
crank_ex crank_ex_symbol(crank_pool *pool, const char *name);            /* one node per name */
crank_ex crank_ex_find_symbol(const crank_pool *pool, const char *name); /* -1: none yet */
crank_ex crank_ex_add(crank_pool *pool, crank_ex a, crank_ex b);
crank_ex crank_ex_sub(crank_pool *pool, crank_ex a, crank_ex b);
crank_ex crank_ex_mul(crank_pool *pool, crank_ex a, crank_ex b);
crank_ex crank_ex_div(crank_pool *pool, crank_ex a, crank_ex b);
crank_ex crank_ex_pow(crank_pool *pool, crank_ex a, crank_ex b);
crank_ex crank_ex_neg(crank_pool *pool, crank_ex a);
/* The function through rows >= 2 points; x must rise strictly. Equal tables of equal arguments
 * are one node. */
crank_ex crank_ex_table(crank_pool *pool, const crank_table_data *table, crank_ex argument);
/* e is a node of a table that can be differentiated everywhere. */
bool crank_ex_table_is_smooth(const crank_pool *pool, crank_ex e);
/* A table below e whose first derivative jumps, by *jump at its point *at; -1: there is none.
 * Returns the argument that it is called with; *table: what the file says of it, NULL if it has
 * no name. */
crank_ex crank_ex_find_corner(crank_pool *pool, crank_ex e, const crank_table_data **table,
                              double *jump, double *at);
/* Of a node of a table's second derivative that jumps: an expression of its argument that is
 * another number on each side of a jump, and constant between them; -1: e is no such node. */
crank_ex crank_ex_table_bends(crank_pool *pool, crank_ex e);
/* The argument of a node of a named table that is not differentiated, and the table; -1: e is
 * no such node. */
crank_ex crank_ex_named_table(const crank_pool *pool, crank_ex e,
                              const crank_table_data **table);
/* Any operator but number and symbol; operands that it does not have are 0. */
crank_ex crank_ex_call(crank_pool *pool, crank_ex_op op, crank_ex a, crank_ex b, crank_ex c);

/* asking */
crank_ex_op crank_ex_get_op(const crank_pool *pool, crank_ex e);
crank_ex crank_ex_get_operand(const crank_pool *pool, crank_ex e, int i); /* -1: none */
bool crank_ex_is_number(const crank_pool *pool, crank_ex e, double *value);
/* e contains no symbols and has no finite value, as 1/0. */
bool crank_ex_is_undefined(crank_pool *pool, crank_ex e);
/* e is exactly this number. */
bool crank_ex_is_value(const crank_pool *pool, crank_ex e, double value);
const char *crank_ex_symbol_name(const crank_pool *pool, crank_ex e); /* NULL if not a symbol */
bool crank_ex_depends(crank_pool *pool, crank_ex e, crank_ex symbol);
/* The symbols that e depends on, in rising order; returns their number, writes at most
 * capacity. */
int crank_ex_symbols(crank_pool *pool, crank_ex e, crank_ex *symbols, int capacity);

/* All comparisons, signs, floors and ceilings in the pool that depend on t and on nothing else
 * but parameters, and behind them, *bends in number, where second derivatives of tables of it
 * jump; returns the number of both, writes at most capacity of them, and then these derivatives.
 * *once: all arguments are linear in t, so that none of their values comes back. */
int crank_ex_switches(crank_pool *pool, crank_ex t, int count, const crank_ex *parameters,
                      crank_ex *switches, int capacity, int *bends, bool *once);

/* transforming */
crank_ex crank_ex_derivative(crank_pool *pool, crank_ex e, crank_ex symbol);
/* sum_i de/dsymbol_i * direction_i, in one pass over shared nodes */
crank_ex crank_ex_directional(crank_pool *pool, crank_ex e, int count, const crank_ex *symbols,
                              const crank_ex *directions);
/* The same for e_count expressions in one pass over all they share: use this where one set of
 * directions serves many expressions. derivatives may be e. */
void crank_ex_directional_all(crank_pool *pool, int e_count, const crank_ex *e, int count,
                              const crank_ex *symbols, const crank_ex *directions,
                              crank_ex *derivatives);
/* All partial derivatives of one expression in one backward pass, at a cost that does not
 * depend on count: use this where an expression depends on many symbols (an energy). */
void crank_ex_gradient(crank_pool *pool, crank_ex e, int count, const crank_ex *symbols,
                       crank_ex *gradient);
/* All symbols are replaced at once: replacements may contain symbols. */
crank_ex crank_ex_substitute(crank_pool *pool, crank_ex e, int count, const crank_ex *symbols,
                             const crank_ex *replacements);

/* sign.c: 1 or -1 where e has that sign whatever its symbols are, those in `positive` being no
 * less than zero, and does not vanish, or only where several expressions do at once; 0: not
 * known. */
int crank_ex_sign(crank_pool *pool, crank_ex e, int count, const crank_ex *positive);

/* ---- isolate.c: equations e = 0 ---- */

/* Is e affine in all these symbols at once? */
bool crank_ex_is_affine(crank_pool *pool, crank_ex e, int count, const crank_ex *symbols);
/* e = slope symbol + rest, with slope and rest free of the symbol: the value by which e
 * vanishes, -rest/slope, and the slope; -1: e is not affine in the symbol, or free of it. */
crank_ex crank_ex_isolate(crank_pool *pool, crank_ex e, crank_ex symbol, crank_ex *slope);

/* The parser. Names are given to resolve (with the place), which returns an expression or -1
 * after filling err; resolve NULL makes a symbol of every name. `pi` and the functions are
 * known; `t` is a name like any other. text is one expression; line and column say where its
 * first character stands in the user's file. Errors are CRANK_ESYNTAX, or what resolve
 * returned. */
typedef crank_ex crank_ex_resolve_fn(const char *name, int line, int column, void *user,
                                     crank_error *err);
crank_status crank_ex_parse(crank_pool *pool, const char *text, int line, int column,
                            crank_ex_resolve_fn *resolve, void *user, crank_ex *out,
                            crank_error *err);
/* What NAME(x) means if NAME is no function of the language: a table, which must outlive the
 * pool; NULL: unknown, or an error if err says so. */
typedef const crank_table_data *crank_ex_table_fn(const char *name, void *user,
                                                  crank_error *err);
void crank_pool_set_tables(crank_pool *pool, crank_ex_table_fn *find, void *user);
/* Asked before `x deg` becomes x pi/180, x being a product; another status than CRANK_OK, with
 * err, refuses it. NULL: nobody is asked. */
typedef crank_status crank_ex_degrees_fn(const crank_pool *pool, crank_ex x, int line,
                                         int column, crank_error *err);
void crank_pool_set_degrees(crank_pool *pool, crank_ex_degrees_fn *check);
/* pi, and, or, not, if and the functions cannot be names of anything else. */
bool crank_ex_is_reserved(const char *name);
/* The expression as text that parses back to the same node (but for tables, which have no
 * syntax: table0(x), table0'(x)); returns the length as snprintf,
 * -1 without memory or for more than INT_MAX characters (shared parts are written out each
 * time). */
int crank_ex_print(const crank_pool *pool, crank_ex e, char *text, size_t size);

/* ---- fast evaluation: a tape of instructions, no recursion, no allocation ---- */

typedef struct crank_tape crank_tape;

/* Values of outputs from values of inputs (symbols). Every symbol the outputs depend on must
 * be an input. The tape is constant and may be shared; registers live in the caller's work
 * array. */
crank_status crank_tape_create(crank_pool *pool, int input_count, const crank_ex *inputs,
                               int output_count, const crank_ex *outputs, crank_tape **out,
                               crank_error *err);
void crank_tape_destroy(crank_tape *tape);
/* doubles needed for count points */
int crank_tape_work_size(const crank_tape *tape, int count);
int crank_tape_instructions(const crank_tape *tape);
/* count points at once: in is input_count x count, out is output_count x count, column-major
 * with the given leading dimensions. */
void crank_tape_evaluate(const crank_tape *tape, int count, const double *in, int in_stride,
                         double *out, int out_stride, double *work);

/* ---- C source ---- */

/* Appends `void NAME(const double *in, double *out)` in strict C99 to a growing text. */
typedef struct crank_text {
    char *data; /* zero-terminated, or NULL */
    size_t length, capacity;
    bool failed; /* out of memory, sticky */
} crank_text;
void crank_text_append(crank_text *text, const char *format, ...) CRANK_PRINTF(2, 3);
void crank_text_free(crank_text *text);
/* What the functions need, once per file: math.h and a few inline functions. */
void crank_emit_c_prelude(crank_text *text);
/* in and out must not overlap. Every symbol the outputs depend on must be an input. */
void crank_emit_c(crank_text *text, crank_pool *pool, const char *name, int input_count,
                  const crank_ex *inputs, int output_count, const crank_ex *outputs);

/* The inside of a function: statements one after the other, of which later ones may read what
 * earlier ones have set (each target once, before it is read). */
typedef struct crank_emit_statement {
    const char *target;
    crank_ex ex;
    int line;         /* of the model, as a comment; 0: none */
    const char *file; /* that the line is in; NULL: the model's own */
} crank_emit_statement;
/* What symbols are called: text[number[symbol]]. */
typedef struct crank_emit_symbols {
    int size;          /* of number; symbols beyond it have no text */
    const int *number; /* by node of the pool; -1: none */
    const char *const *text;
} crank_emit_symbols;
void crank_emit_c_statements(crank_text *text, crank_pool *pool,
                             const crank_emit_symbols *symbols, int count,
                             const crank_emit_statement *list);

/* Compiles source with the system's compiler (cc; $CC is not read: no environment), caches
 * by content hash in the directory cache (NULL: ~/.cache/crank; made if missing), loads it.
 * log says what was compiled and where it is kept. CRANK_ECOMPILE with the reason on
 * failure. */
typedef struct crank_compiled crank_compiled;
typedef void crank_compiled_fn(const double *in, double *out);
crank_status crank_compiled_load(const char *source, const char *cache, crank_log log,
                                 crank_compiled **out, crank_error *err);
/* NULL: no function of that name. Valid until unload. */
crank_compiled_fn *crank_compiled_find(const crank_compiled *compiled, const char *name);
void crank_compiled_unload(crank_compiled *compiled);

#endif
