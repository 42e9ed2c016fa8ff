// scatter.ts - members as points over two variables. What has no value stands in a strip at the edge, as a cross.
// SPDX-License-Identifier: BSD-3-Clause
import { curveColor } from "../scene/palette";
import type { State } from "../state/state";
import { element } from "../ui/dom";
import { formatNumber, withUnit } from "../ui/numbers";
import { colour, part, Sheet } from "./canvas";
import type { Members, Variable } from "./members";

const [left, right, top, bottom] = [58, 14, 12, 40];
/** Pixels within which a click counts. */
const reach = 24;

export class Scatter {
    readonly element: HTMLElement;
    private readonly sheet: Sheet;
    private readonly across: HTMLSelectElement;
    private readonly up: HTMLSelectElement;

    constructor(private readonly members: Members, private readonly state: State) {
        this.sheet = new Sheet("Members as points; the table below has the same values", (pen) => this.paint(pen));
        this.across = this.chooser("Across", 0);
        this.up = this.chooser("Up", Math.min(members.factors, members.variables.length - 1));
        this.element = element("section", "study-part", element("div", "study-head",
            element("h2", "", "Scatter"), element("label", "", "across ", this.across), element("label", "", "up ", this.up)), this.sheet.element);
        this.sheet.element.id = "scatter";
        this.sheet.onClick((x, y, add) => {
            const row = this.nearest(x, y);
            if (row >= 0) {
                members.choose(row, add);
            }
        });
    }

    draw(): void {
        this.sheet.draw();
    }

    /** Where a member is drawn, in pixels of the canvas. */
    place(row: number): [number, number] {
        const { width, height } = this.sheet;
        const at = (v: Variable, from: number, to: number, none: number) =>
            Number.isFinite(v.values[row]) ? from + part(v.values[row], v.min, v.max) * (to - from) : none;
        return [
            at(this.variable(this.across), left + 16, width - right, left + 4),
            at(this.variable(this.up), height - bottom - 16, top, height - bottom - 4),
        ];
    }

    private variable(select: HTMLSelectElement): Variable {
        return this.members.variables[Number(select.value)];
    }

    private chooser(label: string, first: number): HTMLSelectElement {
        const select = element("select", "");
        select.setAttribute("aria-label", label);
        this.members.variables.forEach((variable, i) => {
            const option = element("option", "", variable.name);
            option.value = String(i);
            select.append(option);
        });
        select.value = String(first);
        select.addEventListener("change", () => this.draw());
        return select;
    }

    private nearest(x: number, y: number): number {
        let [found, least] = [-1, reach];
        for (let row = 0; row < this.members.count; row++) {
            const [px, py] = this.place(row);
            const distance = Math.hypot(px - x, py - y);
            if (distance < least) {
                [found, least] = [row, distance];
            }
        }
        return found;
    }

    private paint(pen: CanvasRenderingContext2D): void {
        const { members } = this;
        const [quiet, danger, accent] = ["quiet", "danger", "accent"].map(colour);
        this.paintAxes(pen, quiet);
        const size = members.count > 2000 ? 1.5 : 3;
        pen.fillStyle = accent;
        pen.strokeStyle = danger;
        pen.globalAlpha = members.count > 500 ? 0.5 : 0.8;
        for (let row = 0; row < members.count; row++) {
            const [x, y] = this.place(row);
            if (members.isLost(row)) {
                pen.beginPath();
                pen.moveTo(x - 3, y - 3);
                pen.lineTo(x + 3, y + 3);
                pen.moveTo(x - 3, y + 3);
                pen.lineTo(x + 3, y - 3);
                pen.stroke();
            } else {
                pen.fillRect(x - size, y - size, 2 * size, 2 * size);
            }
        }
        pen.globalAlpha = 1;
        pen.lineWidth = 2.5;
        members.chosen.value.forEach((row, i) => {
            pen.strokeStyle = curveColor(i, this.state.theme.value);
            const [x, y] = this.place(row);
            pen.beginPath();
            pen.arc(x, y, 7, 0, 7);
            pen.stroke();
        });
        pen.lineWidth = 1;
    }

    private paintAxes(pen: CanvasRenderingContext2D, quiet: string): void {
        const { width, height } = this.sheet;
        const [x, y] = [this.variable(this.across), this.variable(this.up)];
        pen.strokeStyle = colour("line");
        pen.strokeRect(left + 0.5, top - 6.5, width - left - right + 6, height - top - bottom + 6);
        pen.fillStyle = quiet;
        const text = (value: number) => (Number.isFinite(value) ? formatNumber(value) : "none");
        pen.textAlign = "left";
        pen.fillText(text(x.min), left + 12, height - bottom + 14);
        pen.textAlign = "right";
        pen.fillText(text(x.max), width - right + 6, height - bottom + 14);
        pen.fillText(text(y.min), left - 4, height - bottom - 12);
        pen.fillText(text(y.max), left - 4, top + 4);
        pen.textAlign = "center";
        pen.fillText(withUnit(x.name, x.unit && `in ${x.unit}`), (left + width) / 2, height - bottom + 30, width - left);
    }
}
