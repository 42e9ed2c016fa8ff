// transform.ts - affine maps as 12 numbers: three columns, then the place.
// SPDX-License-Identifier: BSD-3-Clause
import type { Quat, Vec3 } from "../data/format";
import { rotationOf } from "./poses";

export type Transform = number[];

export const identityQuat: Quat = [1, 0, 0, 0];

/** Place, orientation and scale of a unit shape. */
export function placed(at: Vec3, orientation: Quat, scale: Vec3): Transform {
    const out = new Array<number>(12).fill(0);
    rotationOf(orientation, 0, out, 0);
    return finish(out, at, scale);
}

/** Like `placed`, with the shape's z along a direction. */
export function alongAxis(at: ArrayLike<number>, axis: ArrayLike<number>, scale: Vec3): Transform {
    const out = new Array<number>(12).fill(0);
    const length = Math.hypot(axis[0], axis[1], axis[2]) || 1;
    const z = [axis[0] / length, axis[1] / length, axis[2] / length];
    if (!(axis[0] || axis[1] || axis[2])) {
        z[2] = 1;
    }
    const help = Math.abs(z[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
    let x = cross(help, z);
    const norm = Math.hypot(x[0], x[1], x[2]);
    x = [x[0] / norm, x[1] / norm, x[2] / norm];
    const y = cross(z, x);
    for (let k = 0; k < 3; k++) {
        out[k] = x[k];
        out[3 + k] = y[k];
        out[6 + k] = z[k];
    }
    return finish(out, at, scale);
}

function finish(out: Transform, at: ArrayLike<number>, scale: Vec3): Transform {
    for (let column = 0; column < 3; column++) {
        for (let k = 0; k < 3; k++) {
            out[3 * column + k] *= scale[column];
        }
        out[9 + column] = at[column];
    }
    return out;
}

/** A unit shape (length 1 about its middle) from one point to another. */
export function between(from: ArrayLike<number>, to: ArrayLike<number>, radius: number): Transform {
    const axis = subtract(to, from);
    const length = Math.hypot(axis[0], axis[1], axis[2]);
    const middle: Vec3 = [
        (from[0] + to[0]) / 2,
        (from[1] + to[1]) / 2,
        (from[2] + to[2]) / 2,
    ];
    return alongAxis(middle, axis, [radius, radius, length]);
}

export function subtract(a: ArrayLike<number>, b: ArrayLike<number>): Vec3 {
    return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

export function cross(a: ArrayLike<number>, b: ArrayLike<number>): Vec3 {
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
    return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** a + s b */
export function plus(a: ArrayLike<number>, b: ArrayLike<number>, s: number): Vec3 {
    return [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
}
