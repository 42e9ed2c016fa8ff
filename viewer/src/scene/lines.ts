// lines.ts - bars, strings and springs through points that may move.
// SPDX-License-Identifier: BSD-3-Clause
import type { Vec3 } from "../data/format";
import type { Drawn, SceneContext } from "./context";
import type { FreeInstance, Layer } from "./layer";
import { bodyColor, glyphColors, parseColor } from "./palette";
import { sample, sourceOf } from "./poses";
import { between, distance } from "./transform";
import { type Coil, createCoilInstance } from "./coil";

const mostKnots = 12;

export function addLines(layer: Layer, context: SceneContext): Drawn {
    const { scene, store, size, poses } = context;
    const drawers: Drawn[] = [];
    scene.lines.forEach((line, number) => {
        const radius = line.width ? 0.5 * line.width : 0.006 * size;
        const color = line.color
            ? parseColor(line.color)
            : line.spring
              ? glyphColors.spring
              : parseColor(bodyColor(scene.bodies.length + number));
        // What moves with a body lies in its layer.
        const top = line.body ?? scene.bodies.length + number;
        const sources = line.points.map((point) => point.map((ref) => sourceOf(store, ref, 0)));
        // Many short pieces need no knots, and do not count among the cylinders, which are cut the coarser the more there are.
        const long = sources.length > mostKnots;
        const bars: (FreeInstance | Coil)[] = [];
        const knots: FreeInstance[] = [];
        for (let i = 1; i < sources.length; i++) {
            bars.push(
                line.spring
                    ? createCoilInstance(layer, color, top, null, line.width ?? 0.05 * size)
                    : layer.addFree(long ? "box" : "cylinder", color, top, null),
            );
        }
        for (let i = 0; i < sources.length && !line.spring && !long; i++) {
            knots.push(layer.addFree("sphere", color, top, null));
        }
        drawers.push((frame, fraction) => {
            const points = sources.map((point) => point.map((s) => sample(s, frame, fraction)));
            if (line.body !== undefined) {
                points.forEach((p) => poses.point(line.body ?? -1, p as Vec3, p));
            }
            bars.forEach((bar, i) => {
                if (typeof bar === "function") {
                    const length = distance(points[i], points[i + 1]);
                    bar(length > 0 ? between(points[i], points[i + 1], long ? 2 * radius : radius) : null);
                } else {
                    bar.place(points[i], points[i + 1]);
                }
            });
            knots.forEach((knot, i) => knot(ball(points[i], radius)));
        });
    });
    return (frame, fraction) => {
        for (const drawer of drawers) {
            drawer(frame, fraction);
        }
    };
}

function ball(at: number[], r: number): number[] {
    return [r, 0, 0, 0, r, 0, 0, 0, r, at[0], at[1], at[2]];
}
