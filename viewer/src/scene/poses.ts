// poses.ts - where every body is at the time shown.
//
// Between two frames positions go straight and quaternions by normalised linear interpolation
// on the shorter arc; at a frame the recorded numbers are taken as they are.
// SPDX-License-Identifier: BSD-3-Clause
import type { Body, PoseKey, Ref } from "../data/format";
import type { Store, Values } from "../data/store";

/** Numbers per body in `worlds`: three columns of the rotation, then the position. */
export const worldStride = 12;

type Source = Values | number;

const keys: PoseKey[] = ["x", "y", "z", "angle", "q0", "q1", "q2", "q3"];

/** Names of columns among references. */
export function namesOf(refs: Iterable<Ref | null | undefined>): string[] {
    const names: string[] = [];
    for (const ref of refs) {
        if (typeof ref === "string") {
            names.push(ref);
        }
    }
    return names;
}

/** Columns that poses of these bodies need. */
export function poseColumns(bodies: Body[]): string[] {
    return bodies.flatMap((body) => namesOf(keys.map((key) => body.pose[key])));
}

/** A loaded column or a number; columns without data count as the fallback. */
export function sourceOf(store: Store, ref: Ref | null | undefined, fallback: number): Source {
    if (typeof ref === "number") {
        return ref;
    }
    return typeof ref === "string" ? (store.get(ref) ?? fallback) : fallback;
}

/** The number at a frame, or part of the way to the next. */
export function sample(source: Source, frame: number, fraction: number): number {
    if (typeof source === "number") {
        return source;
    }
    const a = source[frame];
    return fraction > 0 && frame + 1 < source.length ? a + (source[frame + 1] - a) * fraction : a;
}

/** Writes the rotation of the quaternion (w, x, y, z) as three columns. */
export function rotationOf(
    q: ArrayLike<number>,
    from: number,
    out: Float64Array | number[],
    to: number,
): void {
    const w = q[from];
    const x = q[from + 1];
    const y = q[from + 2];
    const z = q[from + 3];
    const norm = w * w + x * x + y * y + z * z;
    const s = norm > 0 ? 2 / norm : 0;
    out[to] = 1 - s * (y * y + z * z);
    out[to + 1] = s * (x * y + w * z);
    out[to + 2] = s * (x * z - w * y);
    out[to + 3] = s * (x * y - w * z);
    out[to + 4] = 1 - s * (x * x + z * z);
    out[to + 5] = s * (y * z + w * x);
    out[to + 6] = s * (x * z + w * y);
    out[to + 7] = s * (y * z - w * x);
    out[to + 8] = 1 - s * (x * x + y * y);
}

export class Poses {
    /** Position and quaternion of each body: x, y, z, w, i, j, k. */
    readonly poses: Float64Array;
    /** Rotation and position of each body, see worldStride; the last entry is the ground. */
    readonly worlds: Float64Array;
    readonly count: number;
    private readonly sources: Source[] = [];

    constructor(store: Store, bodies: Body[]) {
        this.count = bodies.length;
        this.poses = new Float64Array(7 * this.count);
        this.worlds = new Float64Array(worldStride * (this.count + 1));
        for (const body of bodies) {
            for (const key of keys) {
                const turned = key === "angle" && body.pose.angle === undefined;
                this.sources.push(
                    turned ? NaN : sourceOf(store, body.pose[key], key === "q0" ? 1 : 0),
                );
            }
        }
        const ground = worldStride * this.count;
        this.worlds[ground] = this.worlds[ground + 4] = this.worlds[ground + 8] = 1;
    }

    /** Place of a body (or -1: the ground) in `worlds`. */
    offset(body: number): number {
        return worldStride * (body >= 0 && body < this.count ? body : this.count);
    }

    update(frame: number, fraction: number): void {
        for (let i = 0; i < this.count; i++) {
            this.updateBody(i, frame, fraction);
        }
    }

    /** Sets the pose and the world entry of one body. */
    updateBody(i: number, frame: number, fraction: number): void {
        const s = this.sources;
        const from = 8 * i;
        const to = 7 * i;
        const p = this.poses;
        p[to] = sample(s[from], frame, fraction);
        p[to + 1] = sample(s[from + 1], frame, fraction);
        p[to + 2] = sample(s[from + 2], frame, fraction);
        const angle = sample(s[from + 3], frame, fraction);
        if (angle === angle) {
            p[to + 3] = Math.cos(angle / 2);
            p[to + 4] = p[to + 5] = 0;
            p[to + 6] = Math.sin(angle / 2);
        } else {
            this.quaternion(from + 4, to + 3, frame, fraction);
        }
        const world = worldStride * i;
        rotationOf(p, to + 3, this.worlds, world);
        this.worlds[world + 9] = p[to];
        this.worlds[world + 10] = p[to + 1];
        this.worlds[world + 11] = p[to + 2];
    }

    private quaternion(from: number, to: number, frame: number, fraction: number): void {
        const s = this.sources;
        const p = this.poses;
        let dot = 0;
        for (let k = 0; k < 4; k++) {
            p[to + k] = sample(s[from + k], frame, 0);
            if (fraction > 0) {
                dot += p[to + k] * sample(s[from + k], frame + 1, 0);
            }
        }
        if (fraction > 0 && dot === dot) {
            const sign = dot < 0 ? -1 : 1;
            let norm = 0;
            for (let k = 0; k < 4; k++) {
                const next = sign * sample(s[from + k], frame + 1, 0);
                p[to + k] += (next - p[to + k]) * fraction;
                norm += p[to + k] * p[to + k];
            }
            const scale = norm > 0 ? 1 / Math.sqrt(norm) : 1;
            for (let k = 0; k < 4; k++) {
                p[to + k] *= scale;
            }
        }
    }

    /** A point given in axes of a body (or the ground), in world axes. */
    point(body: number, local: ArrayLike<number>, out: number[] | Float64Array, at = 0): void {
        const w = this.worlds;
        const o = this.offset(body);
        const [x, y, z] = [local[0], local[1], local[2]];
        out[at] = w[o] * x + w[o + 3] * y + w[o + 6] * z + w[o + 9];
        out[at + 1] = w[o + 1] * x + w[o + 4] * y + w[o + 7] * z + w[o + 10];
        out[at + 2] = w[o + 2] * x + w[o + 5] * y + w[o + 8] * z + w[o + 11];
    }

    /** A direction given in axes of a body (or the ground), in world axes. */
    direction(body: number, local: ArrayLike<number>, out: number[] | Float64Array): void {
        const w = this.worlds;
        const o = this.offset(body);
        const [x, y, z] = [local[0], local[1], local[2]];
        out[0] = w[o] * x + w[o + 3] * y + w[o + 6] * z;
        out[1] = w[o + 1] * x + w[o + 4] * y + w[o + 7] * z;
        out[2] = w[o + 2] * x + w[o + 5] * y + w[o + 8] * z;
    }
}
