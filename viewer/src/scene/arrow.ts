// arrow.ts - arrows for forces and torques, and the scale that makes them legible.
// SPDX-License-Identifier: BSD-3-Clause
import type { Vec3 } from "../data/format";
import type { Values } from "../data/store";
import type { Layer } from "./layer";
import type { Owner, Rgb } from "./batch";
import { alongAxis, between, plus } from "./transform";

/** Planar layer above joints. */
const arrowLayer = 200000;
/** Arrows are cut at this multiple of the reference length, arcs of torques at this one of theirs. */
const longest = 2.5;
const widest = 1.5;

export interface Arrow {
    /** Draws from `at` along `vector` (already in metres); too short ones are hidden. */
    place(at: ArrayLike<number>, vector: ArrayLike<number>): void;
    hide(): void;
}

export function createArrow(layer: Layer, color: Rgb, width: number, owner: Owner | null): Arrow {
    const shaft = layer.addFree("cylinder", color, arrowLayer, owner);
    const head = layer.addFree("cone", color, arrowLayer, owner);
    const hide = () => {
        shaft(null);
        head(null);
    };
    return {
        hide,
        place(at, vector) {
            const length = Math.hypot(vector[0], vector[1], vector[2]);
            if (!(length > 0.4 * width)) {
                hide();
                return;
            }
            const unit: Vec3 = [vector[0] / length, vector[1] / length, vector[2] / length];
            const headLength = Math.min(5 * width, 0.5 * length);
            const neck = plus(at, unit, length - headLength);
            const r = Math.min(width, 0.2 * length);
            shaft(between(at, neck, 0.5 * r));
            head(
                alongAxis(plus(at, unit, length - 0.5 * headLength), unit, [
                    1.7 * r,
                    1.7 * r,
                    headLength,
                ]),
            );
        },
    };
}

/** An arc with a head around a direction; its radius grows with the torque. */
export function createTurn(layer: Layer, color: Rgb, width: number, owner: Owner | null): Arrow {
    const arc = layer.addFree("arc", color, arrowLayer, owner);
    const head = layer.addFree("cone", color, arrowLayer, owner);
    const hide = () => {
        arc(null);
        head(null);
    };
    return {
        hide,
        place(at, vector) {
            const radius = 0.5 * Math.hypot(vector[0], vector[1], vector[2]);
            if (!(radius > 0.4 * width)) {
                hide();
                return;
            }
            const frame = alongAxis(at, vector, [radius, radius, radius]);
            arc(frame);
            // The arc ends at three quarters of a turn, on -y, going along +x.
            const tip = plus(at, frame.slice(3, 6), -1);
            const along = frame.slice(0, 3);
            const r = Math.min(1.7 * width, 0.35 * radius);
            head(alongAxis(plus(tip, along, (0.8 * r) / radius), along, [r, r, 2.4 * r]));
        },
    };
}

/** A typical large magnitude among columns: impacts do not make all else invisible. */
export function referenceMagnitude(vectors: (Values | null)[][]): number {
    const found: number[] = [];
    for (const columns of vectors) {
        const rows = columns.find((c) => c)?.length ?? 0;
        const step = Math.max(1, Math.floor(rows / 400));
        for (let i = 0; i < rows; i += step) {
            const value = Math.hypot(...columns.map((c) => (c ? c[i] : 0)));
            if (Number.isFinite(value) && value > 0) {
                found.push(value);
            }
        }
    }
    found.sort((a, b) => a - b);
    return found.length ? found[Math.floor(0.97 * (found.length - 1))] : 0;
}

/** Metres per unit of force: the reference gets a quarter of the mechanism's size. */
export function arrowLength(magnitude: number, reference: number, size: number): number {
    const part = reference > 0 ? magnitude / reference : 0;
    return 0.25 * size * Math.max(-longest, Math.min(longest, part));
}

/** Width of the arc of a torque: the reference gets an eighth, so that it does not hide what it turns. */
export function turnWidth(magnitude: number, reference: number, size: number): number {
    const part = reference > 0 ? magnitude / reference : 0;
    return 0.125 * size * Math.max(-widest, Math.min(widest, part));
}
