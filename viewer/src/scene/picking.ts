// picking.ts - which object is under a point of the canvas.
// SPDX-License-Identifier: BSD-3-Clause
import { type Camera, Raycaster, Triangle, Vector2, Vector3 } from "three";
import type { Selection } from "../state/state";
import type { Instance } from "./batch";
import type { Layer } from "./layer";

/** Distance along the ray to the nearest triangle of an instance, or Infinity. */
function hit(instance: Instance, m: number[], ray: Raycaster["ray"]): number {
    const { position, triangles } = instance.corners;
    const corner = (i: number, out: Vector3) => {
        const at = 3 * triangles[i];
        const [x, y, z] = [position[at], position[at + 1], position[at + 2]];
        return out.set(
            m[0] * x + m[3] * y + m[6] * z + m[9],
            m[1] * x + m[4] * y + m[7] * z + m[10],
            m[2] * x + m[5] * y + m[8] * z + m[11],
        );
    };
    const triangle = new Triangle();
    const found = new Vector3();
    let nearest = Infinity;
    for (let i = 0; i + 2 < triangles.length; i += 3) {
        corner(i, triangle.a);
        corner(i + 1, triangle.b);
        corner(i + 2, triangle.c);
        if (ray.intersectTriangle(triangle.a, triangle.b, triangle.c, false, found)) {
            nearest = Math.min(nearest, found.distanceTo(ray.origin));
        }
    }
    return nearest;
}

/** x and y go from -1 to 1. In planar scenes the layer drawn on top wins, else the nearest. */
export function pick(
    x: number,
    y: number,
    camera: Camera,
    layers: Layer[],
    worlds: Float64Array,
    planar: boolean,
): Selection | null {
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2(x, y), camera);
    const map = new Array<number>(12).fill(0);
    let best: Selection | null = null;
    let least = Infinity;
    for (const layer of layers.filter(({ group }) => group.visible)) {
        for (const batch of layer.batches) {
            for (const instance of batch.instances) {
                if (!instance.owner || !batch.mapOf(instance, worlds, map)) {
                    continue;
                }
                const distance = hit(instance, map, caster.ray);
                const rank = planar ? -instance.layer : distance;
                if (distance < Infinity && rank < least) {
                    least = rank;
                    best = { ...instance.owner };
                }
            }
        }
    }
    return best;
}
