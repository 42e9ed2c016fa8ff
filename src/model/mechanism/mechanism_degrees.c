/* mechanism_degrees.c - what `deg` must not follow: angles of the mechanism, which are in
 * radians, alone or in sums and products. 20*sin(joint.a.angle) deg is fine. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mechanism/mechanism_read.h"

#include <string.h>

/* body.arm.yaw, joint.knee.angle and their rates */
static bool is_angle(const char *name)
{
    static const char words[] = "roll|pitch|yaw|rate|wx|wy|wz|omega_x|omega_y|omega_z|rx|ry|rz";
    const char *dot = strrchr(name, '.');
    return dot != NULL &&
           (strncmp(dot + 1, "angle", 5) == 0 || crank_words_contain(words, dot + 1));
}

/* the name of an angle that x is made of, but for arguments of functions; NULL: none. depth: of
 * what is looked at, a text is not longer */
static const char *find_angle(const crank_pool *pool, crank_ex x, int depth)
{
    const crank_ex_op op = crank_ex_get_op(pool, x);
    const char *found = NULL;
    if (op == CRANK_EX_SYMBOL) {
        const char *name = crank_ex_symbol_name(pool, x);
        return is_angle(name) ? name : NULL;
    }
    const bool inside =
        op == CRANK_EX_ADD || op == CRANK_EX_MUL || op == CRANK_EX_DIV || op == CRANK_EX_NEG;
    for (int i = 0; i < 2 && inside && depth > 0 && found == NULL; i++) {
        const crank_ex operand = crank_ex_get_operand(pool, x, i);
        found = operand >= 0 ? find_angle(pool, operand, depth - 1) : NULL;
    }
    return found;
}

crank_status crank_read_degrees(const crank_pool *pool, crank_ex x, int line, int column,
                                crank_error *err)
{
    enum { DEPTH = 16 };
    const char *angle = find_angle(pool, x, DEPTH);
    return angle == NULL
               ? CRANK_OK
               : crank_fail_at(
                     err, CRANK_EMODEL, line, column,
                     "deg multiplies by pi/180, and %.80s is in radians; an angle in degrees "
                     "is %.80s*180/pi; where the factor pi/180 is meant, write it",
                     angle, angle);
}
