// traces.ts - paths of points of bodies over the whole time.
// SPDX-License-Identifier: BSD-3-Clause
import { Group } from "three";
import type { Trace, Vec3 } from "../data/format";
import type { SceneContext } from "./context";
import { bodyColor, colorOf } from "./palette";
import { sample, sourceOf } from "./poses";
import { Ribbon, type PixelSize } from "./ribbon";

/** Most segments of one path; more rows are left out evenly. */
const mostSegments = 1500;

export class Traces {
    readonly object = new Group();
    private readonly fixed: Ribbon[] = [];
    private readonly chosen = new Map<number, Ribbon>();

    constructor(
        private readonly context: SceneContext,
        private readonly pixel: PixelSize,
    ) {
        context.scene.traces.forEach((trace, i) => {
            const body = trace.body === undefined ? undefined : context.scene.bodies[trace.body];
            const color = trace.color ?? (body ? colorOf(body, trace.body ?? 0) : bodyColor(i + context.scene.bodies.length));
            const ribbon = this.create(trace, color);
            if (ribbon) {
                this.fixed.push(ribbon);
            }
        });
    }

    /** Shows what has passed at the time shown, and the paths asked for. */
    update(): void {
        const { state, clock, scene } = this.context;
        for (const [body, ribbon] of this.chosen) {
            if (!state.traced.value.has(body)) {
                this.object.remove(ribbon.mesh);
                ribbon.dispose();
                this.chosen.delete(body);
            }
        }
        for (const body of state.traced.value) {
            if (!this.chosen.has(body) && scene.bodies[body]) {
                const { name, center } = scene.bodies[body];
                const trace: Trace = { name, body, point: center ?? [0, 0, 0] };
                const ribbon = this.create(trace, colorOf(scene.bodies[body], body));
                if (ribbon) {
                    this.chosen.set(body, ribbon);
                }
                this.context.poses.update(clock.frame, clock.fraction);
            }
        }
        const part = (clock.frame + clock.fraction) / Math.max(clock.rows - 1, 1);
        for (const ribbon of [...this.fixed, ...this.chosen.values()]) {
            ribbon.setPassed(part);
        }
    }

    private create(trace: Trace, color: string): Ribbon | null {
        const { store, planar, size } = this.context;
        const count = Math.min(store.rows, mostSegments + 1);
        const points: number[] = [];
        const at: Vec3 = [0, 0, 0];
        const sources = trace.point.map((ref) => sourceOf(store, ref, 0));
        for (let i = 0; i < count; i++) {
            const frame = Math.round((i * (store.rows - 1)) / Math.max(count - 1, 1));
            const p = sources.map((source) => sample(source, frame, 0)) as Vec3;
            if (trace.body !== undefined && trace.body !== null) {
                this.context.poses.updateBody(trace.body, frame, 0);
                this.context.poses.point(trace.body, p, at);
            } else {
                p.forEach((x, k) => (at[k] = x));
            }
            if (Math.abs(at[0]) + Math.abs(at[1]) + Math.abs(at[2]) < 1e30) {
                points.push(at[0], at[1], planar ? -0.1 * size : at[2]);
            }
        }
        if (points.length < 6) {
            return null;
        }
        const ribbon = new Ribbon(points, color, this.pixel);
        this.object.add(ribbon.mesh);
        return ribbon;
    }
}
