// parallel.ts - parallel coordinates: an axis a variable, a line a member. Lines are drawn some at a time, so that
// thousands do not hold up the page. A member without a value goes below the axis.
// SPDX-License-Identifier: BSD-3-Clause
import { curveColor } from "../scene/palette";
import type { State } from "../state/state";
import { element } from "../ui/dom";
import { formatNumber } from "../ui/numbers";
import { colour, part, Sheet } from "./canvas";
import type { Members } from "./members";

const [side, top, bottom, none] = [46, 44, 30, 12];
const mostAxes = 12;
const linesAtOnce = 1500;

export class Parallel {
    readonly element: HTMLElement;
    private readonly sheet: Sheet;
    private round = 0;
    private readonly axes: number[];

    constructor(private readonly members: Members, private readonly state: State) {
        this.axes = members.variables.map((_, i) => i).slice(0, mostAxes);
        this.sheet = new Sheet("Members as lines over parallel axes; the table below has the same values", (pen) => this.paint(pen));
        this.sheet.element.id = "parallel";
        const more = members.variables.length - this.axes.length;
        this.element = element("section", "study-part", element("div", "study-head", element("h2", "", "Parallel coordinates"),
            more > 0 ? element("span", "quiet", `the first ${mostAxes} of ${members.variables.length} variables`) : null), this.sheet.element);
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

    private x(axis: number): number {
        return side + (axis * (this.sheet.width - 2 * side)) / Math.max(this.axes.length - 1, 1);
    }
    private y(row: number, axis: number): number {
        const { values, min, max } = this.members.variables[this.axes[axis]];
        const base = this.sheet.height - bottom - none;
        return Number.isFinite(values[row]) ? base - part(values[row], min, max) * (base - top) : base + none;
    }

    private nearest(x: number, y: number): number {
        const { axes, sheet } = this;
        const step = (sheet.width - 2 * side) / Math.max(axes.length - 1, 1);
        const before = Math.min(Math.max(Math.floor((x - side) / step), 0), Math.max(axes.length - 2, 0));
        const after = Math.min(before + 1, axes.length - 1);
        const between = Math.min(Math.max((x - this.x(before)) / step, 0), 1);
        let [found, least] = [-1, 24];
        for (let row = 0; row < this.members.count; row++) {
            const [a, b] = [this.y(row, before), this.y(row, after)];
            const distance = Math.abs(a + between * (b - a) - y);
            if (distance < least) {
                [found, least] = [row, distance];
            }
        }
        return found;
    }

    private line(pen: CanvasRenderingContext2D, row: number): void {
        for (let axis = 0; axis < this.axes.length; axis++) {
            if (axis === 0) {
                pen.moveTo(this.x(0), this.y(row, 0));
            } else {
                pen.lineTo(this.x(axis), this.y(row, axis));
            }
        }
    }

    private paint(pen: CanvasRenderingContext2D): void {
        const { members } = this;
        const round = ++this.round;
        const [accent, danger] = [colour("accent"), colour("danger")];
        const some = (first: number) => {
            if (round !== this.round) {
                return; // drawn anew meanwhile
            }
            const last = Math.min(first + linesAtOnce, members.count);
            pen.globalAlpha = Math.min(0.7, Math.max(0.06, 60 / members.count));
            for (const lost of [false, true]) {
                pen.strokeStyle = lost ? danger : accent;
                pen.beginPath();
                for (let row = first; row < last; row++) {
                    if (members.isLost(row) === lost) {
                        this.line(pen, row);
                    }
                }
                pen.stroke();
            }
            pen.globalAlpha = 1;
            if (last < members.count) {
                requestAnimationFrame(() => some(last));
            } else {
                this.paintOver(pen);
            }
        };
        some(0);
    }

    private paintOver(pen: CanvasRenderingContext2D): void {
        const { axes, members, sheet } = this;
        const [quiet, line] = [colour("quiet"), colour("text")];
        pen.fillStyle = quiet;
        pen.textAlign = "center";
        const room = (sheet.width - 2 * side) / Math.max(axes.length - 1, 1);
        axes.forEach((number, axis) => {
            const { name, min, max } = members.variables[number];
            const x = this.x(axis);
            pen.strokeStyle = line;
            pen.beginPath();
            pen.moveTo(x, top);
            pen.lineTo(x, sheet.height - bottom - none);
            pen.stroke();
            const width = Math.min(room, 2 * side);
            const most = Math.max(width * (room < 90 ? 2 : 1), 30);
            const half = Math.min(pen.measureText(name).width, most) / 2;
            pen.fillText(name, Math.min(Math.max(x, half), sheet.width - half), axis % 2 && room < 90 ? 11 : 25, most); // not cut at the sides
            pen.fillText(Number.isFinite(max) ? formatNumber(max) : "none", x, top - 5, width);
            pen.fillText(Number.isFinite(min) ? formatNumber(min) : "", x, sheet.height - 6, width);
        });
        pen.lineWidth = 2.5;
        members.chosen.value.forEach((row, i) => {
            pen.strokeStyle = curveColor(i, this.state.theme.value);
            pen.beginPath();
            this.line(pen, row);
            pen.stroke();
        });
        pen.lineWidth = 1;
    }
}
