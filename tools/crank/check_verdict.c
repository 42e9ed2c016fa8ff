/* check_verdict.c - see check_verdict.h. */
// SPDX-License-Identifier: BSD-3-Clause
#include "check_verdict.h"
#include "still.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double noticeable = 1e-9; /* of a change of velocities: not rounding */
/* Half of what is refused as a jump to another way of closing a loop (`max_change`): of the
 * mechanism's size, and of radians. */
static const double far_move = 0.25, far_turn = 0.625;
static const double far_speed = 0.5;              /* of the largest velocity that is given */
static const double degrees = 57.295779513082323; /* of a radian */

/* A line, under the first of which stands what they are. */
static void begin_line(int *lines, const session *s)
{
    if ((*lines)++ == 0) {
        (void)printf("fine%s, but mind:\n",
                     s->messages.warnings > 0 ? ", but for what is warned of" : "");
    }
    check_print_item("");
}

/* Placed bodies that stand far from where the file puts them: conditions or loops want it. */
static void print_far_bodies(const session *s, int *lines)
{
    const double size = crank_eom_extent(s->start.eom, s->start.given);

    for (int i = 0; i < crank_eom_bodies(s->start.eom); i++) {
        double distance, angle;
        crank_eom_body_move(s->start.eom, i, s->start.given, s->start.found, &distance, &angle);
        if (session_is_guess(s, i) || !(distance > far_move * size || angle > far_turn)) {
            continue;
        }
        begin_line(lines, s);
        (void)printf("%s starts %.3g away and turned by %.3g deg from where the file puts it\n",
                     crank_eom_body_text(s->start.eom, i), distance, degrees * angle);
    }
}

static bool is_turning(const session *s, int column)
{
    const char *name = crank_eom_column_name(s->start.eom, column);
    const char *last = strrchr(name, '.');

    return last != NULL && (strncmp(last, ".omega", 6) == 0 || strcmp(last, ".rate") == 0);
}

/* Of the velocities that the file gives, of translations or of rotations, the one that had to
 * change most, if it is another one altogether. */
static void print_changed_velocity(const session *s, bool turning, int *lines)
{
    const int first = crank_eom_column(s->start.eom, CRANK_V);
    const int end = first + crank_eom_get_sizes(s->start.eom).v;
    double given = 0.0, most = 0.0;
    int column = -1;

    for (int j = first; j < end; j++) {
        if (is_turning(s, j) != turning || session_is_free(s, j)) {
            continue;
        }
        const double change = fabs(s->start.found[j] - s->start.given[j]);
        given = fmax(given, fabs(s->start.given[j]));
        if (session_moved(s, j) && change > most) {
            most = change;
            column = j;
        }
    }
    if (column >= 0 && most > far_speed * given) {
        const double found = s->start.found[column];
        begin_line(lines, s);
        (void)printf("%s starts at %.3g, the file gives %.3g\n",
                     crank_eom_column_name(s->start.eom, column),
                     fabs(found) > noticeable * most ? found : 0.0, s->start.given[column]);
    }
}

static void print_surprises(const session *s, const check_findings *found, int *lines)
{
    if (session_stands_still(s, found->report->freedom_velocity)) {
        begin_line(lines, s);
        (void)printf("%s\n", still_text);
        check_print_item("");
        (void)printf("%s\n", still_remedy);
    }
    if (crank_eom_bodies(s->start.eom) > 0) {
        print_far_bodies(s, lines);
        print_changed_velocity(s, false, lines);
        print_changed_velocity(s, true, lines);
    }
    if (!found->derivatives) {
        begin_line(lines, s);
        (void)printf("derivatives differ from differences: is there a corner at the start?\n");
    }
}

static const char *find_wrong(const check_findings *found)
{
    const crank_structure_report *report = found->report;
    const bool determined =
        report->bordered_regular && report->auxiliary_regular && report->contact_regular;

    return report->contradictory ? "the constraints contradict each other"
           : report->degenerate
               ? "the start is a singular position; start elsewhere, or, if it is "
                 "to stand there, leave what is dependent \"only here\" out or "
                 "let it yield (a spring)"
           : found->drives == CRANK_DRIVES_PART
               ? "redundant constraints contradict each other or lock once drives move"
           : found->drives == CRANK_DRIVES_STUCK
               ? "the drives cannot leave the start, a singular position"
           : !determined        ? "the motion is not determined"
           : !found->consistent ? "no consistent initial values were found"
                                : NULL;
}

int check_print_verdict(const session *s, const check_findings *found)
{
    const char *wrong = find_wrong(found);
    int lines = 0;

    check_print_item("verdict");
    if (wrong != NULL) {
        (void)printf("%s\n", wrong);
        return CODE_MODEL;
    }
    print_surprises(s, found, &lines);
    if (lines == 0) {
        (void)printf(s->messages.warnings > 0 ? "fine, but for what is warned of\n" : "fine\n");
    }
    return CODE_DONE;
}
