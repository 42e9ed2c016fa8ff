// gizmo.ts - the axes x, y, z as the camera sees them, in a corner of the view.
// SPDX-License-Identifier: BSD-3-Clause
import { type Camera, Vector3 } from "three";

const colors = ["#e5534b", "#3fa45b", "#4a8fe7"];
const names = ["x", "y", "z"];
const space = "http://www.w3.org/2000/svg";

export class Gizmo {
    private readonly svg = document.createElementNS(space, "svg");
    private readonly parts: { line: SVGElement; label: SVGElement }[] = [];
    private last = "";

    constructor(holder: HTMLElement) {
        this.svg.setAttribute("class", "gizmo");
        this.svg.setAttribute("viewBox", "-36 -36 72 72");
        this.svg.setAttribute("aria-hidden", "true");
        names.forEach((name, i) => {
            const line = document.createElementNS(space, "line");
            line.setAttribute("stroke", colors[i]);
            const label = document.createElementNS(space, "text");
            label.setAttribute("fill", colors[i]);
            label.textContent = name;
            this.parts.push({ line, label });
        });
        holder.append(this.svg);
    }

    update(camera: Camera, visible: boolean): void {
        const { elements } = camera.matrixWorldInverse;
        const key = `${visible} ${[0, 1, 2, 4, 5, 6, 8, 9, 10].map((k) => elements[k].toFixed(3))}`;
        if (key === this.last) {
            return;
        }
        this.last = key;
        this.svg.style.display = visible ? "" : "none";
        const order = this.parts.map((part, i) => {
            const axis = new Vector3(elements[4 * i], elements[4 * i + 1], elements[4 * i + 2]);
            part.line.setAttribute("x2", (24 * axis.x).toFixed(1));
            part.line.setAttribute("y2", (-24 * axis.y).toFixed(1));
            part.label.setAttribute("x", (31 * axis.x).toFixed(1));
            part.label.setAttribute("y", (-31 * axis.y).toFixed(1));
            const seen = Math.hypot(axis.x, axis.y) > 0.2;
            part.label.style.display = seen ? "" : "none";
            return { part, depth: axis.z };
        });
        order.sort((a, b) => a.depth - b.depth);
        for (const { part } of order) {
            this.svg.append(part.line, part.label);
        }
    }
}
