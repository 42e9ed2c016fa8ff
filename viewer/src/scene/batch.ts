// batch.ts - many small solids as one list of triangles, moved and lit here rather than by the
// graphics processor.
//
// Software rendering takes long over instanced calls (docs/develop/page.md has figures). Moving the
// few ten thousand corners of all unit shapes in the script is faster, and all solids of a layer
// are one call.
// An instance is either fixed to a body (its map is the body's times a constant one) or free
// (whoever added it sets its map, or hides it).
// SPDX-License-Identifier: BSD-3-Clause
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, type Material, Mesh, Sphere } from "three";
import type { ObjectKind, Selection } from "../state/state";
import type { Light } from "./light";
import { worldStride } from "./poses";
import type { Transform } from "./transform";

export type Rgb = [number, number, number];

/** The object an instance belongs to, for picking and highlighting. */
export interface Owner {
    kind: ObjectKind;
    number: number;
}

/** Corners of a unit shape. `wire`: thickness as part of the radius, if positions are a centre line and normals point to the surface. */
export interface Corners {
    position: ArrayLike<number>;
    normal: ArrayLike<number>;
    triangles: ArrayLike<number>;
    wire?: number;
}

export interface Instance {
    corners: Corners;
    /** Place of the body in the list of worlds; -1 for free instances. */
    world: number;
    /** Map from the unit shape to the body, or for free ones to the world; null: hidden. */
    map: Transform | null;
    color: Rgb;
    layer: number;
    owner: Owner | null;
    /** 1: nothing shines through. */
    opacity: number;
    /** Radius of the wire of a ring in metres; 0: by its size. */
    wire: number;
}

/** What is farther away (or nowhere) is not drawn. */
const farthest = 1e30;

/** Thickness of a coil's wire, as part of the coil's radius. */
export const wireRadius = 0.16;

export class Batch {
    readonly instances: Instance[] = [];
    mesh: Mesh | null = null;
    private positions: Float32Array = new Float32Array(0);
    private colors: Uint8ClampedArray = new Uint8ClampedArray(0);
    private shown: Rgb[] = [];
    private readonly now: number[] = new Array<number>(12).fill(0);

    /** Makes the list of triangles when all instances are known. */
    build(material: Material): Mesh {
        let corners = 0;
        const triangles: number[] = [];
        for (const { corners: shape } of this.instances) {
            for (let i = 0; i < shape.triangles.length; i++) {
                triangles.push(corners + shape.triangles[i]);
            }
            corners += shape.position.length / 3;
        }
        this.positions = new Float32Array(3 * corners);
        this.colors = new Uint8ClampedArray(4 * corners).fill(255);
        const geometry = new BufferGeometry();
        const position = new BufferAttribute(this.positions, 3).setUsage(DynamicDrawUsage);
        const color = new BufferAttribute(new Uint8Array(this.colors.buffer), 4, true);
        geometry.setAttribute("position", position);
        geometry.setAttribute("color", color.setUsage(DynamicDrawUsage));
        geometry.setIndex(new BufferAttribute(new Uint32Array(triangles), 1));
        geometry.boundingSphere = new Sphere(undefined, Infinity);
        this.paint(null, [0, 0, 0]);
        this.mesh = new Mesh(geometry, material);
        this.mesh.frustumCulled = false;
        return this.mesh;
    }

    /** Sets colours; what is selected is mixed with the accent. */
    paint(selection: Selection | null, accent: Rgb): void {
        this.shown = this.instances.map(({ color, owner }) => {
            const chosen = owner?.kind === selection?.kind && owner?.number === selection?.number;
            return owner && chosen
                ? (color.map((c, k) => 0.25 * c + 0.75 * accent[k]) as Rgb)
                : color;
        });
    }

    /** Moves and lights all instances. */
    update(worlds: Float64Array, light: Light): void {
        if (!this.mesh || !this.instances.length) {
            return;
        }
        let corner = 0;
        this.instances.forEach((instance, i) => {
            const count = instance.corners.position.length / 3;
            if (this.mapOf(instance, worlds, this.now)) {
                this.place(instance, this.now, this.shown[i], light, corner);
            } else {
                this.positions.fill(0, 3 * corner, 3 * (corner + count));
            }
            corner += count;
        });
        this.mesh.geometry.attributes["position"].needsUpdate = true;
        this.mesh.geometry.attributes["color"].needsUpdate = true;
    }

    /** The map of an instance to the world, or false if it is hidden. */
    mapOf(instance: Instance, worlds: Float64Array, out: number[]): boolean {
        const { map, world } = instance;
        if (!map) {
            return false;
        }
        for (let c = 0; c < worldStride; c += 3) {
            if (world < 0) {
                out[c] = map[c];
                out[c + 1] = map[c + 1];
                out[c + 2] = map[c + 2];
                continue;
            }
            const x = map[c];
            const y = map[c + 1];
            const z = map[c + 2];
            const w = c === 9 ? 1 : 0;
            for (let k = 0; k < 3; k++) {
                const o = world + k;
                out[c + k] = worlds[o] * x + worlds[o + 3] * y + worlds[o + 6] * z + w * worlds[o + 9];
            }
        }
        return Math.abs(out[9]) + Math.abs(out[10]) + Math.abs(out[11]) < farthest;
    }

    private place(instance: Instance, m: number[], color: Rgb, light: Light, first: number): void {
        const { position, normal, wire } = instance.corners;
        const { positions, colors } = this;
        // Normals of unit shapes stay unit vectors if the map is freed from its scale.
        const s0 = 1 / thicken(m, 0, light.leastScale);
        const s1 = 1 / thicken(m, 3, light.leastScale);
        const s2 = 1 / thicken(m, 6, light.leastScale);
        const { key, up, ambient, direct, planar, layerStep } = light;
        const k0 = direct * s0 * (m[0] * key.x + m[1] * key.y + m[2] * key.z);
        const k1 = direct * s1 * (m[3] * key.x + m[4] * key.y + m[5] * key.z);
        const k2 = direct * s2 * (m[6] * key.x + m[7] * key.y + m[8] * key.z);
        const u0 = 0.1 * s0 * (m[0] * up.x + m[1] * up.y + m[2] * up.z);
        const u1 = 0.1 * s1 * (m[3] * up.x + m[4] * up.y + m[5] * up.z);
        const u2 = 0.1 * s2 * (m[6] * up.x + m[7] * up.y + m[8] * up.z);
        const thick = !wire ? 0 : instance.wire || wire / s0;
        const [red, green, blue] = [255 * color[0], 255 * color[1], 255 * color[2]];
        const alpha = 255 * instance.opacity;
        let to = 3 * first;
        let paint = 4 * first;
        for (let i = 0; i < position.length; i += 3) {
            const nx = normal[i];
            const ny = normal[i + 1];
            const nz = normal[i + 2];
            const x = position[i] + thick * s0 * nx;
            const y = position[i + 1] + thick * s1 * ny;
            const z = position[i + 2] + thick * s2 * nz;
            const height = m[2] * x + m[5] * y + m[8] * z + m[11];
            positions[to] = m[0] * x + m[3] * y + m[6] * z + m[9];
            positions[to + 1] = m[1] * x + m[4] * y + m[7] * z + m[10];
            positions[to + 2] = planar ? 1e-4 * height + layerStep * instance.layer : height;
            const lit =
                ambient + Math.max(k0 * nx + k1 * ny + k2 * nz, 0) + u0 * nx + u1 * ny + u2 * nz;
            colors[paint] = red * lit;
            colors[paint + 1] = green * lit;
            colors[paint + 2] = blue * lit;
            colors[paint + 3] = alpha;
            to += 3;
            paint += 4;
        }
    }
}

/** Makes a column of a map at least so long, for thin bars not to vanish; returns its length. */
function thicken(m: number[], column: number, least: number): number {
    const length = Math.hypot(m[column], m[column + 1], m[column + 2]);
    if (!(length > 0) || length >= least) {
        return length || 1;
    }
    const factor = least / length;
    m[column] *= factor;
    m[column + 1] *= factor;
    m[column + 2] *= factor;
    return least;
}
