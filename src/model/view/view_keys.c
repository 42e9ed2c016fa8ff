/* view_keys.c - the keys of `view:`. These tables drive the reading, the reference and the JSON
 * Schema. */
// SPDX-License-Identifier: BSD-3-Clause
#include "model/view/view.h"

// clang-format off
const crank_key_spec crank_keys_view[] = {
    {"up", CRANK_SHAPE_VECTOR, false, NULL,
     "direction that is up on the screen; against gravity if not given, in planar pictures y"},
    {"camera", CRANK_SHAPE_CAMERA, false, "iso|front|top|side",
     "from where one looks first, or {from: point, to: point}"},
    {"follow", CRANK_SHAPE_BODY, false, NULL, "body that the camera follows"},
    {"plots", CRANK_SHAPE_PANELS, false, NULL,
     "plots that are open first: for each a list of columns of the result"},
    {"phase", CRANK_SHAPE_PANELS, false, NULL,
     "phase portraits that are open first: for each two columns, [across, up]"},
    {"bodies", CRANK_SHAPE_SECTION, false, NULL,
     "how bodies of the model look, by name (`*` stands for any letters), and bodies that are "
     "for drawing only"},
    {"lines", CRANK_SHAPE_SECTION, false, NULL, "lines through points that may move, by name"},
    {"traces", CRANK_SHAPE_SECTION, false, NULL, "paths of points, by name"},
    CRANK_KEYS_END,
};

const crank_key_spec crank_keys_camera[] = {
    {"from", CRANK_SHAPE_VECTOR, true, NULL, "where the eye is"},
    {"to", CRANK_SHAPE_VECTOR, true, NULL, "the point that it looks at"},
    CRANK_KEYS_END,
};

const crank_key_spec crank_keys_view_body[] = {
    {"color", CRANK_SHAPE_COLOR, false, NULL, "of all its shapes that have none of their own"},
    {"shapes", CRANK_SHAPE_SHAPES, false, NULL,
     "in body axes from its origin, in place of those that crank would draw"},
    {"opacity", CRANK_SHAPE_NUMBER, false, NULL,
     "of all its shapes that have none of their own, more than 0, at most 1; 1 if not given"},
    {"hide", CRANK_SHAPE_FLAG, false, NULL, "true: it is not drawn"},
    {"x", CRANK_SHAPE_EXPRESSION, false, NULL,
     "of the origin of a body for drawing only, as the next ones; 0 if not given"},
    {"y", CRANK_SHAPE_EXPRESSION, false, NULL, "the same"},
    {"z", CRANK_SHAPE_EXPRESSION, false, NULL, "the same"},
    {"angle", CRANK_SHAPE_EXPRESSION, false, NULL, "of its axes about z"},
    {"q", CRANK_SHAPE_EXPRESSIONS, false, NULL, "[w, x, y, z] of its axes, instead of `angle`"},
    CRANK_KEYS_END,
};

const crank_key_spec crank_keys_view_shape[] = {
    CRANK_KEYS_SOLIDS,
    {"cone", CRANK_SHAPE_NUMBERS, false, NULL,
     "[radius, height], tip up z; its middle is at half the height"},
    {"ring", CRANK_SHAPE_NUMBERS, false, NULL, "[radius, radius of its wire], about z"},
    {"tube", CRANK_SHAPE_BAR, false, NULL, "[[x, y, z], [x, y, z]]: a bar between two points"},
    {"mesh", CRANK_SHAPE_FILE, false, NULL, "FILE.stl or FILE.obj"},
    {"radius", CRANK_SHAPE_NUMBER, false, NULL,
     "of a tube; by the size of the picture if not given"},
    {"scale", CRANK_SHAPE_NUMBER, false, NULL,
     "of a mesh: m per unit of the file; 1 if not given"},
    {"at", CRANK_SHAPE_VECTOR, false, NULL,
     "its middle (of a mesh its origin) in body axes; zero if not given"},
    {"orientation", CRANK_SHAPE_ORIENTATION, false, NULL,
     "of its axes in the body; body axes if not given"},
    {"color", CRANK_SHAPE_COLOR, false, NULL, "the body's if not given"},
    {"opacity", CRANK_SHAPE_NUMBER, false, NULL,
     "more than 0, at most 1; the body's if not given"},
    CRANK_KEYS_END,
};

const crank_key_spec crank_keys_view_line[] = {
    {"points", CRANK_SHAPE_CURVES, true, NULL,
     "two or more, each with two or three expressions"},
    {"width", CRANK_SHAPE_NUMBER, false, NULL, "m; by the size of the picture if not given"},
    {"color", CRANK_SHAPE_COLOR, false, NULL, "the viewer's choice if not given"},
    {"spring", CRANK_SHAPE_FLAG, false, NULL, "true: drawn as a coil spring"},
    CRANK_KEYS_END,
};

const crank_key_spec crank_keys_view_trace[] = {
    {"body", CRANK_SHAPE_BODY, false, NULL,
     "whose point it is; without it the point is in world axes"},
    {"point", CRANK_SHAPE_EXPRESSIONS, false, NULL,
     "numbers in body axes from its origin (zero if not given), or expressions in world axes"},
    {"color", CRANK_SHAPE_COLOR, false, NULL, "the viewer's choice if not given"},
    CRANK_KEYS_END,
};
// clang-format on
