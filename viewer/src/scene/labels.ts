// labels.ts - names of bodies beside them; the selected one always has its name.
// SPDX-License-Identifier: BSD-3-Clause
import { type Camera, Vector3 } from "three";
import type { Scene, Vec3 } from "../data/format";
import type { State } from "../state/state";
import type { Poses } from "./poses";

/** More names than this hide the mechanism. */
const most = 80;

export class Labels {
    private readonly holder = document.createElement("div");
    private readonly elements = new Map<number, HTMLElement>();

    constructor(
        private readonly scene: Scene,
        private readonly poses: Poses,
        parent: HTMLElement,
    ) {
        this.holder.className = "labels";
        this.holder.setAttribute("aria-hidden", "true");
        parent.append(this.holder);
    }

    update(camera: Camera, width: number, height: number, state: State): void {
        const wanted = new Set<number>();
        if (state.groups.labels.value) {
            const step = Math.max(1, Math.ceil(this.scene.bodies.length / most));
            for (let i = 0; i < this.scene.bodies.length; i += step) {
                wanted.add(i);
            }
        }
        const selection = state.selection.value;
        if (selection?.kind === "body") {
            wanted.add(selection.number);
        }
        for (const [number, element] of this.elements) {
            if (!wanted.has(number)) {
                element.remove();
                this.elements.delete(number);
            }
        }
        const world: Vec3 = [0, 0, 0];
        for (const number of wanted) {
            const body = this.scene.bodies[number];
            this.poses.point(number, body.center ?? [0, 0, 0], world);
            const p = new Vector3(...world).project(camera);
            const element = this.element(number);
            const seen = p.z > -1 && p.z < 1 && Math.abs(p.x) <= 1 && Math.abs(p.y) <= 1;
            element.style.display = seen ? "" : "none";
            if (seen) {
                const x = (0.5 + 0.5 * p.x) * width;
                const y = (0.5 - 0.5 * p.y) * height;
                element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
            }
        }
    }

    private element(number: number): HTMLElement {
        let element = this.elements.get(number);
        if (!element) {
            element = document.createElement("span");
            element.textContent = this.scene.bodies[number].name;
            this.holder.append(element);
            this.elements.set(number, element);
        }
        return element;
    }
}
