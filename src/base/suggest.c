/* suggest.c - nearest name by edit distance, and names of points.
 *
 * The distance counts inserted, deleted and replaced letters and swapped neighbours (optimal
 * string alignment, by dynamic programming over the last three rows); a change of case costs
 * nothing. What stands before a dot of a candidate may be left out, at the cost of a letter:
 * tyre.force is near to force.tyre.force. So may what stands behind a hyphen: psf is near to
 * psf-radau. A candidate is near if at most one letter in four, and one more, is wrong. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/suggest.h"

#include <stddef.h>
#include <string.h>

enum { LONGEST = 63 }; /* longer words get no suggestion */

static int min(int a, int b)
{
    return a < b ? a : b;
}

/* letters of ASCII only: names in model files, and the same under every locale */
static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static int edit_distance(const char *a, int na, const char *b, int nb)
{
    int rows[3][LONGEST + 1]; /* rows i-2, i-1, i of the table, by i modulo 3 */
    for (int j = 0; j <= nb; j++) {
        rows[0][j] = j;
    }
    for (int i = 1; i <= na; i++) {
        int *now = rows[i % 3];
        const int *before = rows[(i + 2) % 3];
        const int *two_before = rows[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= nb; j++) {
            const char x = lower(a[i - 1]);
            const char y = lower(b[j - 1]);
            int d = min(before[j], now[j - 1]) + 1;
            d = min(d, before[j - 1] + (x == y ? 0 : 1));
            if (i > 1 && j > 1 && x == lower(b[j - 2]) && lower(a[i - 2]) == y) {
                d = min(d, two_before[j - 2] + 1);
            }
            now[j] = d;
        }
    }
    return rows[na % 3][nb];
}

/* to the candidate, to what follows one of its dots, or to what precedes its hyphen */
static int distance_to(const char *word, int n, const char *candidate)
{
    int d = edit_distance(word, n, candidate, (int)strlen(candidate));
    const char *hyphen = strchr(candidate, '-');
    if (hyphen != NULL && hyphen > candidate) {
        d = min(d, 1 + edit_distance(word, n, candidate, (int)(hyphen - candidate)));
    }
    for (const char *dot = strchr(candidate, '.'); dot != NULL; dot = strchr(dot + 1, '.')) {
        d = min(d, 1 + edit_distance(word, n, dot + 1, (int)strlen(dot + 1)));
    }
    return d;
}

const char *crank_suggest(const char *word, const char *const *candidates, int count)
{
    const size_t length = strlen(word);
    if (length == 0 || length > LONGEST) {
        return NULL;
    }
    const int n = (int)length;
    int best = min(1 + n / 4, n - 1) + 1; /* a word of one letter only matches its other case */
    const char *nearest = NULL;
    for (int i = 0; i < count; i++) {
        const size_t candidate_length = candidates[i] == NULL ? 0 : strlen(candidates[i]);
        if (candidate_length == 0 || candidate_length > LONGEST) {
            continue;
        }
        const int d = distance_to(word, n, candidates[i]);
        if (d < best) {
            best = d;
            nearest = candidates[i];
        }
    }
    return nearest;
}
