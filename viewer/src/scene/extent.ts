// extent.ts - the box the mechanism needs over the whole time, and the size of its glyphs.
// SPDX-License-Identifier: BSD-3-Clause
import { Box3, Vector3 } from "three";
import type { Scene, Shape, Vec3 } from "../data/format";
import type { Store } from "../data/store";
import { poseColumns, type Poses, sample, sourceOf } from "./poses";
import { distance, identityQuat, placed } from "./transform";

/** Most frames and bodies looked at: enough for the outline of any motion. */
const mostFrames = 60;
const mostBodies = 300;

/** Points around a shape's z at two heights, none of them outside of what is round. */
function drum(shape: Shape, radius: number, half: number, corners: number): Vec3[] {
    const frame = placed(shape.at ?? [0, 0, 0], shape.orientation ?? identityQuat, [1, 1, 1]);
    const out: Vec3[] = [];
    for (let i = 0; i < 2 * corners; i++) {
        const angle = (2 * Math.PI * (i >> 1)) / corners;
        const [x, y, z] = [radius * Math.cos(angle), radius * Math.sin(angle), i & 1 ? half : -half];
        out.push([0, 1, 2].map((k) => frame[9 + k] + x * frame[k] + y * frame[3 + k] + z * frame[6 + k]) as Vec3);
    }
    return out;
}

/** Points on the outline of a shape in body axes, roughly. */
function reach(shape: Shape): Vec3[] {
    const at = shape.at ?? [0, 0, 0];
    switch (shape.kind) {
        case "box": {
            const frame = placed(at, shape.orientation ?? identityQuat, shape.size);
            return [0, 1, 2, 3, 4, 5, 6, 7].map((i) => {
                const side = [i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5];
                return [0, 1, 2].map((k) =>
                    side.reduce((sum, s, c) => sum + s * frame[3 * c + k], frame[9 + k])) as Vec3;
            });
        }
        case "cylinder":
        case "cone":
            return drum(shape, shape.radius, 0.5 * shape.length, 8);
        case "capsule":
            return [...drum(shape, 0, 0.5 * shape.length + shape.radius, 1), ...drum(shape, shape.radius, 0.5 * shape.length, 4)];
        case "sphere":
            return [...drum(shape, 0, shape.radius, 1), ...drum(shape, shape.radius, 0, 4)];
        case "ring":
            return drum(shape, shape.radius + shape.wire, 0, 8);
        case "tube":
            return [shape.from, shape.to];
        case "mesh": {
            const box = new Box3();
            for (let i = 0; i + 2 < shape.vertices.length; i += 3) {
                box.expandByPoint(new Vector3(...(shape.vertices.slice(i, i + 3) as Vec3)));
            }
            return box.isEmpty() ? [] : [box.min.toArray(), box.max.toArray()];
        }
    }
}

/** Points of each body that the view must hold. */
function outline(scene: Scene): Vec3[][] {
    return scene.bodies.map((body, number) => {
        const points: Vec3[] = [[0, 0, 0], body.center ?? [0, 0, 0]];
        for (const shape of body.shapes) {
            points.push(...reach(shape));
        }
        for (const joint of [...scene.joints, ...scene.forces]) {
            joint.bodies.forEach((other, i) => {
                if (other === number && joint.points[i]) {
                    points.push(joint.points[i]);
                }
            });
        }
        return points.length > 60 ? corners(points) : points;
    });
}

/** The 8 corners of the points' box: fewer points for bodies of many shapes. */
function corners(points: Vec3[]): Vec3[] {
    const box = new Box3().setFromPoints(points.map((p) => new Vector3(...p)));
    const out: Vec3[] = [];
    for (let i = 0; i < 8; i++) {
        out.push([
            i & 1 ? box.max.x : box.min.x,
            i & 2 ? box.max.y : box.min.y,
            i & 4 ? box.max.z : box.min.z,
        ]);
    }
    return out;
}

/** Where the mechanism goes: its box, and points on its outline that the camera is to hold. */
export interface Extent {
    box: Box3;
    points: Vector3[];
}

/** The extent of all bodies, ground points and lines over time; never empty. A camera that
 *  follows a body need not see where it goes: points then count from the body's centre, and
 *  what stands still does not count. */
export function sceneExtent(scene: Scene, store: Store, poses: Poses, follow: number | null = null): Extent {
    const box = new Box3();
    const all: Vector3[] = [];
    const world = [0, 0, 0];
    const followed = follow !== null ? scene.bodies[follow] : undefined;
    const origin = new Vector3();
    const grow = (p: ArrayLike<number>, moves: boolean) => {
        if (Math.abs(p[0]) + Math.abs(p[1]) + Math.abs(p[2]) < 1e30) {
            const point = new Vector3(p[0], p[1], p[2]);
            box.expandByPoint(point);
            if (moves || !followed) {
                all.push(point.sub(origin));
            }
        }
    };
    const points = outline(scene);
    const bodyStep = Math.max(1, Math.ceil(scene.bodies.length / mostBodies));
    const frames = Math.min(store.rows, mostFrames);
    for (let n = 0; n < frames; n++) {
        const frame = frames > 1 ? Math.round((n * (store.rows - 1)) / (frames - 1)) : 0;
        if (followed && follow !== null) {
            poses.updateBody(follow, frame, 0);
            poses.point(follow, followed.center ?? [0, 0, 0], world);
            origin.set(world[0], world[1], world[2]);
        }
        for (let i = 0; i < scene.bodies.length; i += bodyStep) {
            const moves = poseColumns([scene.bodies[i]]).length > 0;
            poses.updateBody(i, frame, 0);
            for (const point of points[i]) {
                poses.point(i, point, world);
                grow(world, moves);
            }
        }
        for (const line of scene.lines.filter(({ around }) => !around)) {
            const body = line.body === undefined ? undefined : scene.bodies[line.body];
            const moves = body
                ? poseColumns([body]).length > 0
                : line.points.flat().some((ref) => typeof ref === "string");
            for (const point of line.points) {
                const at = point.map((ref) => sample(sourceOf(store, ref, 0), frame, 0));
                if (body) {
                    poses.updateBody(line.body ?? 0, frame, 0);
                    poses.point(line.body ?? 0, at as Vec3, at);
                }
                grow(at, moves);
            }
        }
        for (const trace of scene.traces) {
            const at = trace.point.map((ref) => sample(sourceOf(store, ref, 0), frame, 0));
            if (trace.body !== undefined) {
                poses.updateBody(trace.body, frame, 0);
                poses.point(trace.body, at as Vec3, at);
            }
            grow(at, true);
        }
    }
    for (const joint of [...scene.joints, ...scene.forces]) {
        joint.bodies.forEach((body, i) => {
            if (body < 0 && joint.points[i] && joint.glyph !== "wheel") {
                grow(joint.points[i], false);
            }
        });
    }
    if (box.isEmpty()) {
        box.expandByPoint(new Vector3(...scene.center));
    }
    const size = box.getSize(new Vector3()).length();
    if (!(size > 0.02 * scene.size)) {
        box.expandByScalar(0.5 * (scene.size || 1));
        all.push(box.min.clone().sub(origin), box.max.clone().sub(origin));
    }
    return { box, points: all };
}

/** Length to scale glyphs and arrows by. */
export function sceneScale(scene: Scene): number {
    const size = scene.scale ?? scene.size;
    return size > 0 ? size : 1;
}

/** Size of joint glyphs: a part of the mechanism, but small beside the shortest members. */
export function glyphSize(scene: Scene): number {
    const size = sceneScale(scene);
    const points = new Map<number, Vec3[]>();
    for (const joint of scene.joints) {
        joint.bodies.forEach((body, i) => {
            if (body >= 0 && joint.points[i]) {
                const list = points.get(body) ?? [];
                list.push(joint.points[i]);
                points.set(body, list);
            }
        });
    }
    const lengths: number[] = [];
    for (const list of points.values()) {
        for (let i = 1; i < list.length && i < 8; i++) {
            const length = distance(list[i - 1], list[i]);
            if (length > 1e-6 * size) {
                lengths.push(length);
            }
        }
    }
    lengths.sort((a, b) => a - b);
    const short = lengths.length ? lengths[Math.floor(lengths.length / 4)] : Infinity;
    return Math.min(0.025 * size, 0.13 * short);
}
