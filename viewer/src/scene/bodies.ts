// bodies.ts - puts the shapes of the bodies into a layer.
// SPDX-License-Identifier: BSD-3-Clause
import type { Body, Quat, Shape, Vec3 } from "../data/format";
import type { UnitKind } from "./geometry";
import type { Layer } from "./layer";
import { colorOf, parseColor } from "./palette";
import type { Owner, Rgb } from "./batch";
import { rotationOf } from "./poses";
import { between, identityQuat, placed, type Transform } from "./transform";

/** Distance along the shape's z, in body axes. */
function shifted(at: Vec3, orientation: Quat, distance: number): Vec3 {
    const r = new Array<number>(9).fill(0);
    rotationOf(orientation, 0, r, 0);
    return [at[0] + distance * r[6], at[1] + distance * r[7], at[2] + distance * r[8]];
}

function addShape(layer: Layer, shape: Shape, body: number, height: number, color: Rgb, whole: number, owner: Owner): void {
    const at = shape.at ?? [0, 0, 0];
    const turn = shape.orientation ?? identityQuat;
    const paint = shape.color ? parseColor(shape.color) : color;
    const opacity = shape.opacity ?? whole;
    const add = (kind: UnitKind, local: Transform, wire = 0) =>
        layer.add(kind, body, local, paint, height, owner, { opacity, wire });
    switch (shape.kind) {
        case "box":
            add("box", placed(at, turn, shape.size));
            break;
        case "cylinder":
        case "cone":
            add(shape.kind, placed(at, turn, [shape.radius, shape.radius, shape.length]));
            break;
        case "sphere":
            add("sphere", placed(at, turn, [shape.radius, shape.radius, shape.radius]));
            break;
        case "ring":
            add("ring", placed(at, turn, [shape.radius, shape.radius, shape.radius]), shape.wire);
            break;
        case "capsule": {
            const r = shape.radius;
            add("cylinder", placed(at, turn, [r, r, shape.length]));
            for (const end of [-0.5, 0.5]) {
                add("sphere", placed(shifted(at, turn, end * shape.length), turn, [r, r, r]));
            }
            break;
        }
        case "tube": {
            // A tube is placed by its ends; `at` and `orientation` move both.
            const r = new Array<number>(9).fill(0);
            rotationOf(turn, 0, r, 0);
            const moved = (p: Vec3): Vec3 => [
                at[0] + r[0] * p[0] + r[3] * p[1] + r[6] * p[2],
                at[1] + r[1] * p[0] + r[4] * p[1] + r[7] * p[2],
                at[2] + r[2] * p[0] + r[5] * p[1] + r[8] * p[2],
            ];
            add("cylinder", between(moved(shape.from), moved(shape.to), shape.radius));
            break;
        }
        case "mesh":
            layer.addMesh(
                shape.vertices,
                shape.triangles,
                body,
                placed(at, turn, [1, 1, 1]),
                paint,
                owner,
                opacity,
            );
            break;
    }
}

/** The radius of a body that is drawn as a disc because the file says nothing better; 0: it is not. */
function guessedDisc(body: Body): number {
    const shape = body.shapes[0];
    return body.shapes.length === 1 && shape?.guessed && shape.kind === "cylinder" ? shape.radius : 0;
}

/**
 * Planar bodies lie above those before them; guessed discs below all others, the larger ones deeper, so that
 * wheels on one axle do not hide each other.
 */
export function heightsOf(bodies: Body[]): number[] {
    const radii = bodies.map(guessedDisc);
    const below = (radius: number, number: number) =>
        radii.filter((other, i) => other > 0 && (other < radius || (other === radius && i > number))).length;
    return radii.map((radius, number) => (radius > 0 ? -1 - below(radius, number) : number));
}

/** Bodies without shapes are hidden. */
export function addBodies(layer: Layer, bodies: Body[]): void {
    const heights = heightsOf(bodies);
    bodies.forEach((body, number) => {
        const owner: Owner = { kind: "body", number };
        const color = parseColor(colorOf(body, number));
        for (const shape of body.shapes) {
            addShape(layer, shape, number, heights[number] ?? number, color, body.opacity ?? 1, owner);
        }
    });
}
