/* said_start.c - of which bodies a file says how they stand: by their orientation, by coordinates of
 * hinges that `initial` or a drive gives, outwards from these bodies and from the ground, and by
 * gears between hinges. */
// SPDX-License-Identifier: BSD-3-Clause
#include "mechanics/said_start.h"

#include "mechanics/build_inside.h"

#include <string.h>

/* Does the file tell the coordinate of a hinge? */
static bool is_told(const crank_builder *b, int joint, const bool *said)
{
    const crank_joint_place *p = &b->place[joint];
    return p->told || ((p->at[0].body < 0 || said[p->at[0].body]) &&
                       (p->at[1].body < 0 || said[p->at[1].body]));
}

/* Gears of hinges hand on what is told of all of them but one; racks count from lengths, which say
 * nothing of angles. */
static int geared_to_told(const crank_builder *b, const crank_record *gear, const bool *said)
{
    const crank_mechanism *m = b->mechanism;
    const crank_field *joints = crank_record_find(gear, "joints");
    int open = -1, opened = 0;
    for (int i = 0; joints != NULL && i < joints->count; i++) {
        const int j = joints->index[i];
        if (strcmp(m->joint[j].type->name, "revolute") != 0) {
            return -1;
        }
        if (!is_told(b, j, said)) {
            open = j;
            opened++;
        }
    }
    return opened == 1 ? open : -1;
}

/* A hinge whose coordinate is told says of one of its bodies how it stands, if it stands of the
 * other. */
static bool hand_on(const crank_builder *b, int joint, bool *said)
{
    const crank_joint_place *p = &b->place[joint];
    const int one = p->at[0].body, other = p->at[1].body;
    const bool first = one < 0 || said[one], second = other < 0 || said[other];
    if (first != second) {
        said[first ? other : one] = true;
    }
    return first != second;
}

void crank_system_find_said(const crank_builder *b, bool *said)
{
    const crank_mechanism *m = b->mechanism;
    bool more = true;
    for (int i = 0; i < m->body_count; i++) {
        said[i] = m->body[i].orientation_said || m->body[i].orientation_fixing != CRANK_FREE;
    }
    while (more) {
        more = false;
        for (int j = 0; j < m->joint_count; j++) {
            const int geared = geared_to_told(b, &m->joint[j], said);
            more = (b->place[j].told && hand_on(b, j, said)) ||
                   (geared >= 0 && hand_on(b, geared, said)) || more;
        }
    }
}
