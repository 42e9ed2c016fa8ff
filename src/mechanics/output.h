/* output.h - what a mechanism shows besides its unknowns: bodies in the user's axes, joint
 * coordinates, reactions, variables, outputs, energies.
 *
 * The order of the columns: bodies, named quantities of joints and forces, reactions (and
 * whether they and efforts are unique), variables, multipliers of the file's own constraints,
 * outputs, energies, expressions of the view. */
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CRANK_SRC_OUTPUT_H
#define CRANK_SRC_OUTPUT_H

#include "mechanics/law.h"

/* ---- reactions.c ---- */

enum { CRANK_REACTION_MAX = 6 };

/* Where the reaction of a joint is measured and who exerts it. */
typedef struct crank_reaction_place {
    int joint;
    int target;  /* the body whose forces are summed, -1: none */
    double sign; /* -1: the target is the first body */
    crank_marker at;
    crank_marker frame[3]; /* directions of the components, of reactions in joint axes */
    int row_begin, row_end;
    crank_law *law; /* or NULL */
    int touched_begin, touched_end;
} crank_reaction_place;

typedef struct crank_reactions {
    int count, components; /* 6, or 3 in planar models */
    bool joint_axes;
    crank_reaction_place *item;
    int *row;     /* indices into the system's rows "primitive = constant" */
    int *touched; /* bodies on which laws act */
    double (*force)[CRANK_BODY_MAX_V]; /* on all bodies; zero between calls */
    int effort_count; /* columns that are minus a multiplier: efforts of drives and gears */
    int *effort;      /* which of lambda and mu */
    const char **effort_name;
    int *group; /* of lambda and mu: the first row of those that are components of one vector */
} crank_reactions;

/* Arrays live in store. */
crank_status crank_reactions_init(crank_reactions *r, crank_builder *b, const crank_system *s,
                                  crank_store *store, crank_error *err);
/* "fx" ... */
const char *crank_reactions_component(const crank_reactions *r, int i);
/* count x components values at the point of crank_system_point, or what of them multipliers
 * alone exert. */
crank_status crank_reactions_evaluate(const crank_reactions *r, crank_system *s, double t,
                                      const double *x, bool multipliers_alone, double *values,
                                      crank_error *err);

/* ---- reactions_unique.c ---- */

/* False: the joints form trees and no other constraints exist, so that none can repeat others.
 * True also if memory for the question is missing. */
bool crank_reactions_may_repeat(const crank_builder *b);
typedef struct crank_uniqueness crank_uniqueness;
crank_status crank_uniqueness_create(const crank_reactions *r, const crank_system *s,
                                     crank_uniqueness **out, crank_error *err);
void crank_uniqueness_destroy(crank_uniqueness *w); /* accepts NULL */
/* Values that crank_reactions_unique gives. */
int crank_reactions_marks(const crank_reactions *r);
/* Which components are unique at (t, x): 1 or 0 per value of crank_reactions_evaluate, then per
 * effort.
 * redundant: whether any constraint depends on others there; if not, all are 1. */
crank_status crank_reactions_unique(crank_uniqueness *w, const crank_reactions *r,
                                    crank_system *s, double t, const double *x, double *unique,
                                    bool *redundant, crank_error *err);

/* After crank_reactions_unique has found redundancy: multipliers that change nothing but what
 * is not unique (a random null vector), and others of the same size. */
void crank_uniqueness_samples(crank_uniqueness *w, double *null, double *other);

/* ---- reactions_groups.c ---- */

/* Which rows are components of one vector; in store. */
crank_status crank_reactions_group(crank_reactions *r, crank_builder *b, crank_store *store,
                                   crank_error *err);

/* x, where crank_reactions_unique was asked last, with the multipliers of least norm among
 * those that redundant constraints leave open; x itself where there are none. */
const double *crank_reactions_share(crank_uniqueness *w, const crank_eom *eom, const double *x);

/* Checkpoints: what one question leaves to the next. */
void crank_uniqueness_archive(crank_uniqueness *w, crank_archive *archive);

/* ---- energy.c ---- */

/* Unknowns r that are work: from `first` on, dissipated or supplied. */
typedef struct crank_energy_work {
    int first;
    bool *dissipated; /* in the builder's store */
} crank_energy_work;

/* `energy: true`: unknowns r for dissipated and supplied work of every element, after the
 * builder has run. */
crank_status crank_energy_build(crank_builder *b, crank_energy_work *made, crank_error *err);
/* Of bodies, at the point of crank_system_point. */
double crank_energy_kinetic(const crank_system *s);
double crank_energy_gravity(const crank_system *s);

/* ---- output_flanks.c ---- */

/* what pushes and cannot pull: teeth, the outlines of a cam, what rolls, a wheel on its rail */
typedef struct crank_flank {
    const char *name;
    const struct crank_flank_kind *kind;
    int column;  /* of their force */
    double push; /* the part of it that pushes, over the force */
    double most; /* the largest such part so far */
    int rows;    /* the last ones, in which they pull */
    bool told;
    const char *remedy;   /* teeth */
    double t, separation; /* the first of these */
} crank_flank;

/* ---- output_sunk.c ---- */

/* a tyre */
typedef struct crank_sunk {
    const char *name;
    int column; /* of its deflection */
    double radius;
    double t, depth; /* of the centre under the road: where it was first; 0: never */
} crank_sunk;

/* ---- output.c ---- */

typedef struct crank_output_set {
    crank_store store; /* what is its own */
    bool shared;       /* made by crank_output_share */
    int column_count;
    const char **column_name, **column_unit, **column_description;
    /* columns, kinetic and potential energies of elements, then columns of the view */
    crank_expressions *expression;
    double *value;
    int named_count, output_count, kinetic_count, potential_count, view_count;
    crank_reactions reaction;
    crank_uniqueness *uniqueness; /* NULL: no columns for it */
    bool shares;                  /* nothing that moves reads multipliers that are open */
    double *unique;
    double asked_t, *asked_x; /* where that was asked for first */
    int variable_count;
    int *variable;     /* columns of x */
    int *angle_column; /* of results: where each continued angle stands; -1: nowhere */
    int flank_count;
    crank_flank *flank;
    double flank_length; /* of the mechanism */
    int sunk_count;
    crank_sunk *sunk;
    bool sunk_told;
    bool energy;
    int dissipated_count, supplied_count; /* work integrated as unknowns */
    int *dissipated, *supplied;           /* columns of x */
} crank_output_set;

/* All meshes; false: out of memory. Then: what a row says of them, and reports of it. */
bool crank_flanks_find(crank_output_set *set, crank_builder *b);
/* Warns of teeth whose point is fixed in another body than the one that carries both wheels. */
void crank_carrier_warn(const crank_builder *b);
void crank_flanks_note(crank_output_set *set, const crank_system *s, double t,
                       const double *values, const double *reaction);
void crank_flanks_tell(crank_output_set *set, const crank_log *log);
/* The same of tyres. */
bool crank_sunk_find(crank_output_set *set, const crank_builder *b);
void crank_sunk_note(crank_output_set *set, double t, const double *values);
void crank_sunk_tell(crank_output_set *set, const crank_log *log);
/* Number and names of the columns of a body: "x", ... */
int crank_output_body_columns(crank_body_kind kind, const char *const **names);
/* Fills column_unit and column_description (output_about.c); false: out of memory. */
bool crank_output_describe(crank_output_set *set, const crank_builder *b, const crank_eom *eom);
/* Outputs as expressions of primitives, before the system is created. */
crank_status crank_output_resolve(crank_builder *b, crank_error *err);
/* Columns of a built system; x, fixing: its start values. The set belongs to the system. */
crank_status crank_output_create(crank_builder *b, crank_system *s,
                                 const crank_energy_work *work, double t, const double *x,
                                 const crank_fixing *fixing, crank_error *err);
/* Warns of outputs that read reactions which are not unique at (t, x), where redundancy was
 * found (output_unique.c). */
crank_status crank_output_warn_open(crank_output_set *set, crank_builder *b, crank_system *s,
                                    double t, const double *x, crank_error *err);
void crank_output_destroy(crank_output_set *set); /* accepts NULL */
/* The same columns for a system that shares its equations with the one of the set; belongs to
 * it. */
crank_status crank_output_share(const crank_output_set *from, crank_system *s,
                                crank_error *err);
crank_status crank_output_evaluate(crank_output_set *set, crank_system *s, double t,
                                   const double *x, double *values, crank_error *err);
/* The other way: positions, velocities and variables of x from the columns of a row at t, NaN
 * where one is not known; the other unknowns stay (output_place.c). EREFUSED: joint coordinates
 * cannot have bodies stand so. */
crank_status crank_output_place(const crank_output_set *set, crank_system *s, double t,
                                const double *values, double *x, crank_error *err);
/* Checkpoints: what one row of a result leaves to the next. */
void crank_output_archive(crank_output_set *set, crank_archive *archive);

#endif
