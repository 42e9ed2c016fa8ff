/* parse.c - text to expression, by recursive descent:
 *
 *     either     = both {"or" both}
 *     both       = negation {"and" negation}
 *     negation   = "not" negation | comparison
 *     comparison = sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
 *     sum        = product {("+" | "-") product}
 *     product    = signed {("*" | "/") signed | "deg"}
 *     signed     = ("-" | "+") signed | power
 *     power      = primary ["^" signed]
 *     primary    = number | name | name "(" either {"," either} ")" | "(" either ")"
 *
 * so that -x^2 = -(x^2) and a^b^c = a^(b^c). The unit deg is a factor pi/180 of the product
 * that it follows: a + 2*b deg = a + 2 b pi/180. In a sum no plain number may stand beside it:
 * of 10 + 20 deg one cannot tell what is meant. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/then.h"
#include "symbolic/pool.h"

#include "base/suggest.h"
#include "symbolic/lex.h"

#include <math.h>
#include <string.h>

enum { MAX_DEPTH = 200, MAX_ARGUMENTS = 64 };

typedef struct parser {
    crank_pool *pool;
    lex_state lex;
    lex_token token; /* the next one, not yet used */
    crank_ex_resolve_fn *resolve;
    void *user;
    int depth;
    bool degrees; /* the product that was parsed last has the unit deg */
    /* LEX_NUMBER: what was parsed last is this number, not zero, and its sign */
    lex_token number;
    crank_error *err;
} parser;

static crank_status parse_either(parser *p, crank_ex *out);
static crank_status parse_signed(parser *p, crank_ex *out);

static crank_status next(parser *p)
{
    return crank_lex_next(&p->lex, &p->token, p->err);
}

/* what is written behind numbers elsewhere */
static bool is_unit(const char *text)
{
    static const char *const units[] = {
        "m",   "mm",  "cm",  "km",  "s",  "ms",  "min", "h", "kg", "g",  "t",
        "N",   "kN",  "MN",  "Nm",  "W",  "kW",  "MW",  "J", "kJ", "Pa", "kPa",
        "MPa", "GPa", "bar", "rad", "Hz", "kHz", "rpm", "K", "V",  "A",  "l"};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(text, units[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* "expected WHAT before TOKEN" */
static crank_status expected(const parser *p, const char *what)
{
    const lex_token *t = &p->token;
    if (t->kind == LEX_END) {
        return crank_fail_at(p->err, CRANK_ESYNTAX, t->line, t->column,
                             "expected %s at the end of the expression", what);
    }
    return crank_fail_at(p->err, CRANK_ESYNTAX, t->line, t->column,
                         "expected %s before \"%s\"%s", what, t->text,
                         is_unit(t->text) ? "; numbers have no units" : "");
}

static crank_status enter(parser *p)
{
    if (p->depth == MAX_DEPTH) {
        return crank_fail_at(p->err, CRANK_ESYNTAX, p->token.line, p->token.column,
                             "nested deeper than %d levels", MAX_DEPTH);
    }
    p->depth++;
    return CRANK_OK;
}

/* ---- functions ---- */

typedef struct parser_function {
    const char *name;
    int least, most; /* arguments */
    crank_ex_op op;
} parser_function;

// clang-format off
static const parser_function functions[] = {
#define PARSER_FUNCTION(name, text) {text, 1, 1, CRANK_EX_##name},
    CRANK_FUNCTION_LIST(PARSER_FUNCTION)
#undef PARSER_FUNCTION
    {"fabs", 1, 1, CRANK_EX_ABS},
    {"atan2", 2, 2, CRANK_EX_ATAN2},
    {"hypot", 2, 2, CRANK_EX_HYPOT},
    {"pow", 2, 2, CRANK_EX_POW},
    {"min", 2, MAX_ARGUMENTS, CRANK_EX_MIN},
    {"max", 2, MAX_ARGUMENTS, CRANK_EX_MAX},
    {"if", 3, 3, CRANK_EX_IF},
    {"clamp", 3, 3, CRANK_EX_OPS}, /* made of min and max */
};
// clang-format on
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static const parser_function *find_function(const char *name)
{
    for (int i = 0; i < FUNCTIONS; i++) {
        if (strcmp(functions[i].name, name) == 0) {
            return &functions[i];
        }
    }
    return NULL;
}

bool crank_ex_is_reserved(const char *name)
{
    return strcmp(name, "pi") == 0 || strcmp(name, "and") == 0 || strcmp(name, "or") == 0 ||
           strcmp(name, "not") == 0 || find_function(name) != NULL;
}

static crank_status unknown_function(const parser *p, const lex_token *name)
{
    const char *names[FUNCTIONS];
    for (int i = 0; i < FUNCTIONS; i++) {
        names[i] = functions[i].name;
    }
    const char *near = crank_suggest(name->text, names, FUNCTIONS);
    if (strcmp(name->text, "ln") == 0) {
        near = "log";
    }
    return near == NULL ? crank_fail_at(p->err, CRANK_ESYNTAX, name->line, name->column,
                                        "unknown function \"%s\"", name->text)
                        : crank_fail_at(p->err, CRANK_ESYNTAX, name->line, name->column,
                                        "unknown function \"%s\"; did you mean \"%s\"?",
                                        name->text, near);
}

static crank_status wrong_count(const parser *p, const lex_token *name,
                                const parser_function *f, int count)
{
    return crank_fail_at(p->err, CRANK_ESYNTAX, name->line, name->column,
                         "\"%s\" takes %s%d argument%s, not %d", name->text,
                         f->most > f->least ? "at least " : "", f->least,
                         f->least == 1 ? "" : "s", count);
}

/* The arguments after "(" up to and with ")". More than MAX_ARGUMENTS are counted only. */
static crank_status parse_arguments(parser *p, crank_ex *argument, int *count)
{
    *count = 0;
    if (p->token.kind == LEX_CLOSE) {
        return next(p);
    }
    for (;;) {
        crank_ex e = EX_NAN;
        crank_status status = parse_either(p, &e);
        if (status != CRANK_OK) {
            return status;
        }
        if (*count < MAX_ARGUMENTS) {
            argument[*count] = e;
        }
        (*count)++;
        const lex_kind kind = p->token.kind;
        if (kind != LEX_COMMA && kind != LEX_CLOSE) {
            return expected(p, "\",\" or \")\"");
        }
        status = next(p);
        if (status != CRANK_OK || kind == LEX_CLOSE) {
            return status;
        }
    }
}

static crank_ex build_call(crank_pool *pool, const parser_function *f, const crank_ex *a,
                           int count)
{
    if (f->op == CRANK_EX_OPS) { /* clamp(x, low, high) */
        const crank_ex below = crank_ex_call(pool, CRANK_EX_MAX, a[0], a[1], 0);
        return crank_ex_call(pool, CRANK_EX_MIN, below, a[2], 0);
    }
    if (f->op != CRANK_EX_MIN && f->op != CRANK_EX_MAX) {
        return crank_ex_call(pool, f->op, a[0], count > 1 ? a[1] : 0, count > 2 ? a[2] : 0);
    }
    crank_ex result = a[0];
    for (int i = 1; i < count; i++) {
        result = crank_ex_call(pool, f->op, result, a[i], 0);
    }
    return result;
}

/* a table of this name, or NULL: the function is not known, or the table is wrong */
static const crank_table_data *find_table(const parser *p, const lex_token *name,
                                          crank_status *status)
{
    crank_error wrong = {.status = CRANK_OK};
    const crank_table_data *table =
        p->pool->find_table != NULL
            ? p->pool->find_table(name->text, p->pool->find_user, &wrong)
            : NULL;
    *status = wrong.status;
    if (table == NULL && wrong.status == CRANK_OK) {
        *status = unknown_function(p, name);
    } else if (table == NULL && p->err != NULL) {
        *p->err = wrong;
    }
    return table;
}

/* The token is "(" after name. */
static crank_status parse_call(parser *p, const lex_token *name, crank_ex *out)
{
    static const parser_function of_table = {"", 1, 1, CRANK_EX_TABLE};
    const parser_function *f = find_function(name->text);
    const crank_table_data *table = NULL;
    crank_ex argument[MAX_ARGUMENTS] = {0};
    int count = 0;
    if (f == NULL) {
        crank_status wrong;
        table = find_table(p, name, &wrong);
        if (table == NULL) {
            return wrong;
        }
        f = &of_table;
    }
    crank_status status = next(p);
    CRANK_THEN(status, parse_arguments(p, argument, &count));
    if (status != CRANK_OK) {
        return status;
    }
    if (count < f->least || count > f->most) {
        return wrong_count(p, name, f, count);
    }
    *out = table != NULL ? crank_ex_table(p->pool, table, argument[0])
                         : build_call(p->pool, f, argument, count);
    return CRANK_OK;
}

/* ---- the grammar ---- */

static crank_status resolve_name(parser *p, const lex_token *name, crank_ex *out)
{
    if (strcmp(name->text, "pi") == 0) {
        *out = crank_ex_number(p->pool, acos(-1.0));
        return CRANK_OK;
    }
    if (find_function(name->text) != NULL) {
        return crank_fail_at(p->err, CRANK_ESYNTAX, name->line, name->column,
                             "\"%s\" is a function: write %s(...)", name->text, name->text);
    }
    if (p->resolve == NULL) {
        *out = crank_ex_symbol(p->pool, name->text);
        return CRANK_OK;
    }
    crank_error local = {.status = CRANK_OK};
    *out = p->resolve(name->text, name->line, name->column, p->user, &local);
    if (*out >= 0) {
        return CRANK_OK;
    }
    if (local.status == CRANK_OK) {
        return crank_fail_at(p->err, CRANK_ESYNTAX, name->line, name->column,
                             "unknown name \"%s\"", name->text);
    }
    if (p->err != NULL) {
        *p->err = local;
    }
    return local.status;
}

static crank_status parse_name(parser *p, crank_ex *out)
{
    const lex_token name = p->token;
    const crank_status status = next(p);
    if (status != CRANK_OK) {
        return status;
    }
    return p->token.kind == LEX_OPEN ? parse_call(p, &name, out) : resolve_name(p, &name, out);
}

static crank_status parse_parentheses(parser *p, crank_ex *out)
{
    const int line = p->token.line;
    const int column = p->token.column;
    crank_status status = next(p);
    CRANK_THEN(status, parse_either(p, out));
    if (status != CRANK_OK) {
        return status;
    }
    if (p->token.kind == LEX_END) {
        return crank_fail_at(p->err, CRANK_ESYNTAX, line, column, "\"(\" is never closed");
    }
    return p->token.kind == LEX_CLOSE ? next(p) : expected(p, "an operator or \")\"");
}

static crank_status parse_primary(parser *p, crank_ex *out)
{
    crank_status status = CRANK_OK;
    switch ((int)p->token.kind) {
    case LEX_NUMBER:
        *out = crank_ex_number(p->pool, p->token.value);
        p->number = p->token;
        p->number.kind = p->token.value != 0.0 ? LEX_NUMBER : LEX_END;
        return next(p);
    case LEX_NAME:
        status = parse_name(p, out);
        break;
    case LEX_OPEN:
        status = parse_parentheses(p, out);
        break;
    default:
        return expected(p, "a number, a name or \"(\"");
    }
    p->number.kind = LEX_END;
    return status;
}

static crank_status parse_power(parser *p, crank_ex *out)
{
    crank_status status = parse_primary(p, out);
    if (status != CRANK_OK || p->token.kind != LEX_POWER) {
        return status;
    }
    crank_ex exponent = EX_NAN;
    status = next(p);
    CRANK_THEN(status, parse_signed(p, &exponent));
    if (status == CRANK_OK) {
        *out = crank_ex_pow(p->pool, *out, exponent);
    }
    p->number.kind = LEX_END;
    return status;
}

/* Every recursion of the grammar comes through here or through parse_negation. */
static crank_status parse_signed(parser *p, crank_ex *out)
{
    const bool minus = p->token.kind == LEX_MINUS;
    crank_status status = enter(p);
    if (status != CRANK_OK) {
        return status;
    }
    if (minus || p->token.kind == LEX_PLUS) {
        status = next(p);
        CRANK_THEN(status, parse_signed(p, out));
        if (status == CRANK_OK && minus) {
            *out = crank_ex_neg(p->pool, *out);
        }
    } else {
        status = parse_power(p, out);
    }
    p->depth--;
    return status;
}

static bool is_degrees(const lex_token *token)
{
    return token->kind == LEX_NAME && strcmp(token->text, "deg") == 0;
}

/* the token is deg behind x */
static crank_status parse_degrees(parser *p, crank_ex *x)
{
    static const double degree = 3.14159265358979323846 / 180.0;
    crank_status status =
        p->pool->check_degrees != NULL
            ? p->pool->check_degrees(p->pool, *x, p->token.line, p->token.column, p->err)
            : CRANK_OK;
    CRANK_THEN(status, next(p));
    *x = crank_ex_mul(p->pool, *x, crank_ex_number(p->pool, degree));
    return status == CRANK_OK && is_degrees(&p->token) ? expected(p, "an operator") : status;
}

static crank_status parse_product(parser *p, crank_ex *out)
{
    bool degrees = false;
    crank_status status = parse_signed(p, out);
    while (status == CRANK_OK &&
           (p->token.kind == LEX_TIMES || p->token.kind == LEX_OVER || is_degrees(&p->token))) {
        const lex_kind kind = p->token.kind;
        crank_ex right = EX_NAN;
        if (kind == LEX_NAME) {
            degrees = true;
            status = parse_degrees(p, out);
        } else {
            status = next(p);
            CRANK_THEN(status, parse_signed(p, &right));
        }
        if (status == CRANK_OK && kind != LEX_NAME) {
            *out = kind == LEX_TIMES ? crank_ex_mul(p->pool, *out, right)
                                     : crank_ex_div(p->pool, *out, right);
        }
        p->number.kind = LEX_END;
    }
    p->degrees = degrees;
    return status;
}

/* A number beside an angle in degrees; number: the first such one, degrees: a term in them. */
static crank_status check_sum(const parser *p, const lex_token *number, bool degrees)
{
    return !degrees || number->kind != LEX_NUMBER
               ? CRANK_OK
               : crank_fail_at(p->err, CRANK_ESYNTAX, number->line, number->column,
                               "%s stands in a sum with an angle in degrees, and deg holds for "
                               "the term that it follows; write %s deg, (... + ...) deg or, if "
                               "radians are meant, (%s)",
                               number->text, number->text, number->text);
}

static crank_status parse_sum(parser *p, crank_ex *out)
{
    crank_status status = parse_product(p, out);
    lex_token number = p->number;
    bool degrees = p->degrees;
    while (status == CRANK_OK && (p->token.kind == LEX_PLUS || p->token.kind == LEX_MINUS)) {
        const bool plus = p->token.kind == LEX_PLUS;
        crank_ex right = EX_NAN;
        status = next(p);
        CRANK_THEN(status, parse_product(p, &right));
        degrees = degrees || p->degrees;
        number = number.kind == LEX_NUMBER ? number : p->number;
        CRANK_THEN(status, check_sum(p, &number, degrees));
        if (status == CRANK_OK) {
            *out =
                plus ? crank_ex_add(p->pool, *out, right) : crank_ex_sub(p->pool, *out, right);
        }
    }
    return status;
}

static bool is_comparison(lex_kind kind)
{
    return kind >= LEX_LT && kind <= LEX_NE;
}

static crank_ex build_comparison(crank_pool *pool, lex_kind kind, crank_ex a, crank_ex b)
{
    switch ((int)kind) {
    case LEX_LT:
        return crank_ex_call(pool, CRANK_EX_LT, a, b, 0);
    case LEX_LE:
        return crank_ex_call(pool, CRANK_EX_LE, a, b, 0);
    case LEX_GT:
        return crank_ex_call(pool, CRANK_EX_LT, b, a, 0);
    case LEX_GE:
        return crank_ex_call(pool, CRANK_EX_LE, b, a, 0);
    case LEX_EQ:
        return crank_ex_call(pool, CRANK_EX_EQ, a, b, 0);
    default:
        return crank_ex_call(pool, CRANK_EX_NE, a, b, 0);
    }
}

static crank_status parse_comparison(parser *p, crank_ex *out)
{
    crank_status status = parse_sum(p, out);
    const lex_kind kind = p->token.kind;
    if (status != CRANK_OK || !is_comparison(kind)) {
        return status;
    }
    crank_ex right = EX_NAN;
    status = next(p);
    CRANK_THEN(status, parse_sum(p, &right));
    if (status != CRANK_OK) {
        return status;
    }
    if (is_comparison(p->token.kind)) {
        return crank_fail_at(p->err, CRANK_ESYNTAX, p->token.line, p->token.column,
                             "comparisons cannot be chained: write a < b and b < c");
    }
    *out = build_comparison(p->pool, kind, *out, right);
    return CRANK_OK;
}

static crank_status parse_negation(parser *p, crank_ex *out)
{
    if (p->token.kind != LEX_NOT) {
        return parse_comparison(p, out);
    }
    crank_status status = enter(p);
    if (status != CRANK_OK) {
        return status;
    }
    status = next(p);
    CRANK_THEN(status, parse_negation(p, out));
    if (status == CRANK_OK) {
        *out = crank_ex_call(p->pool, CRANK_EX_NOT, *out, 0, 0);
    }
    p->depth--;
    return status;
}

/* both = negation {"and" negation}, or either = both {"or" both} */
static crank_status parse_logic(parser *p, lex_kind kind, crank_ex *out)
{
    const bool conjunction = kind == LEX_AND;
    crank_status status = conjunction ? parse_negation(p, out) : parse_logic(p, LEX_AND, out);
    while (status == CRANK_OK && p->token.kind == kind) {
        crank_ex right = EX_NAN;
        status = next(p);
        CRANK_THEN(status,
                   conjunction ? parse_negation(p, &right) : parse_logic(p, LEX_AND, &right));
        if (status == CRANK_OK) {
            const crank_ex_op op = conjunction ? CRANK_EX_AND : CRANK_EX_OR;
            *out = crank_ex_call(p->pool, op, *out, right, 0);
        }
    }
    return status;
}

static crank_status parse_either(parser *p, crank_ex *out)
{
    return parse_logic(p, LEX_OR, out);
}

void crank_pool_set_degrees(crank_pool *pool, crank_ex_degrees_fn *check)
{
    pool->check_degrees = check;
}

crank_status crank_ex_parse(crank_pool *pool, const char *text, int line, int column,
                            crank_ex_resolve_fn *resolve, void *user, crank_ex *out,
                            crank_error *err)
{
    parser p = {.pool = pool, .resolve = resolve, .user = user, .err = err};
    p.lex = (lex_state){.at = text, .line = line, .column = column};
    *out = EX_NAN;
    crank_status status = next(&p);
    if (status != CRANK_OK) {
        return status;
    }
    if (p.token.kind == LEX_END) {
        return crank_fail_at(err, CRANK_ESYNTAX, line, column, "the expression is empty");
    }
    crank_ex e;
    status = parse_either(&p, &e);
    if (status != CRANK_OK) {
        return status;
    }
    if (p.token.kind == LEX_CLOSE) {
        return crank_fail_at(err, CRANK_ESYNTAX, p.token.line, p.token.column,
                             "\")\" without \"(\"");
    }
    if (p.token.kind != LEX_END) {
        return expected(&p, "an operator");
    }
    if (pool->status != CRANK_OK) {
        return crank_fail_at(err, pool->status, line, column, "no memory for the expression");
    }
    *out = e;
    return CRANK_OK;
}
