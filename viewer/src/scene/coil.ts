// coil.ts - a spring drawn as a coil with short straight ends.
// SPDX-License-Identifier: BSD-3-Clause
import type { Vec3 } from "../data/format";
import type { Layer } from "./layer";
import { type Owner, type Rgb, wireRadius } from "./batch";
import { alongAxis, between, plus, subtract } from "./transform";

export interface Coil {
    place(from: ArrayLike<number>, to: ArrayLike<number>): void;
}

/** Part of the length that is straight at each end. */
const straight = 0.1;

/** `width` is the coil's diameter. */
export function createCoilInstance(
    layer: Layer,
    color: Rgb,
    drawnLayer: number,
    owner: Owner | null,
    width: number,
): Coil {
    const coil = layer.addFree("coil", color, drawnLayer, owner);
    const ends = [0, 1].map(() => layer.addFree("cylinder", color, drawnLayer, owner));
    const radius = 0.5 * width;
    const wire = wireRadius * radius;
    return {
        place(from, to) {
            const axis = subtract(to, from);
            const length = Math.hypot(...axis);
            if (!(length > 0)) {
                coil(null);
                ends.forEach((end) => end(null));
                return;
            }
            const a = plus(from, axis, straight);
            const b = plus(to, axis, -straight);
            const scale: Vec3 = [radius, radius, length * (1 - 2 * straight)];
            coil(alongAxis(a, axis, scale));
            ends[0](between(from, a, wire));
            ends[1](between(b, to, wire));
        },
    };
}
