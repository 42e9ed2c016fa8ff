// layer.ts - a group of solids that is shown or hidden together.
// SPDX-License-Identifier: BSD-3-Clause
import { type BufferGeometry, Group, type Mesh } from "three";
import type { Selection } from "../state/state";
import { Batch, type Corners, type Instance, type Owner, type Rgb } from "./batch";
import { createMesh, createUnit, detailFor, type UnitKind } from "./geometry";
import { createMaterial, type Light } from "./light";
import type { Poses } from "./poses";
import type { Transform } from "./transform";

/** A free instance: set its transform at every frame, or null to hide it. */
export type FreeInstance = (transform: Transform | null) => void;

/** Stands in until it is known how many there are of a kind. */
const none: Corners = { position: [], normal: [], triangles: [] };

function cornersOf(geometry: BufferGeometry): Corners {
    const position = geometry.getAttribute("position").array;
    const index = geometry.getIndex()?.array;
    const wire = geometry.getAttribute("wire");
    return {
        position,
        normal: (wire ?? geometry.getAttribute("normal")).array,
        triangles: index ?? Uint32Array.from({ length: position.length / 3 }, (_, i) => i),
        wire: wire ? (geometry.userData["thickness"] as number) : 0,
    };
}

export class Layer {
    readonly group = new Group();
    private readonly solids = new Batch();
    private readonly meshes = new Batch();
    private readonly clear = new Batch();
    private readonly clearMeshes = new Batch();
    private readonly units = new Map<UnitKind, Instance[]>();

    constructor(private readonly poses: Poses) {}

    /** All lists, for picking. */
    get batches(): Batch[] {
        return [this.solids, this.meshes, this.clear, this.clearMeshes];
    }

    /** What throws a shadow: all that one cannot see through. */
    get opaque(): Mesh[] {
        return [this.solids.mesh, this.meshes.mesh].filter((mesh) => mesh !== null);
    }

    /** Adds a unit shape fixed to a body (-1: the ground). */
    add(
        kind: UnitKind,
        body: number,
        map: Transform,
        color: Rgb,
        layer: number,
        owner: Owner | null,
        { opacity, wire } = { opacity: 1, wire: 0 },
    ): void {
        const world = this.poses.offset(body);
        this.addUnit(kind, { corners: none, world, map, color, layer, owner, opacity, wire });
    }

    /** Adds a unit shape that is placed at every frame. */
    addFree(kind: UnitKind, color: Rgb, layer: number, owner: Owner | null): FreeInstance {
        const instance: Instance = {
            corners: none, world: -1, map: null, color, layer, owner, opacity: 1, wire: 0,
        };
        this.addUnit(kind, instance);
        return (transform) => (instance.map = transform);
    }

    /** Adds triangles fixed to a body. */
    addMesh(
        vertices: number[],
        triangles: number[],
        body: number,
        map: Transform,
        color: Rgb,
        owner: Owner,
        opacity: number,
    ): void {
        const corners = cornersOf(createMesh(vertices, triangles));
        const world = this.poses.offset(body);
        const list = opacity < 1 ? this.clearMeshes : this.meshes;
        list.instances.push({ corners, world, map, color, layer: body, owner, opacity, wire: 0 });
    }

    build(software: boolean): void {
        for (const [kind, instances] of this.units) {
            const corners = cornersOf(createUnit(kind, detailFor(instances.length, software)));
            instances.forEach((instance) => (instance.corners = corners));
        }
        this.group.add(this.solids.build(createMaterial(false)));
        this.group.add(this.meshes.build(createMaterial(true)));
        for (const list of [this.clear, this.clearMeshes].filter(({ instances }) => instances.length)) {
            this.group.add(list.build(createMaterial(list === this.clearMeshes, true)));
        }
    }

    update(light: Light): void {
        if (this.group.visible) {
            this.batches.forEach((batch) => batch.update(this.poses.worlds, light));
        }
    }

    paint(selection: Selection | null, accent: Rgb): void {
        this.batches.forEach((batch) => batch.paint(selection, accent));
    }

    private addUnit(kind: UnitKind, instance: Instance): void {
        const list = this.units.get(kind) ?? [];
        list.push(instance);
        this.units.set(kind, list);
        (instance.opacity < 1 ? this.clear : this.solids).instances.push(instance);
    }
}
