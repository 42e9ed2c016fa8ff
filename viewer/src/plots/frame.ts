// frame.ts - the frame of a panel: legend, buttons and the place for the plot.
// SPDX-License-Identifier: BSD-3-Clause
import { button, element } from "../ui/dom";
import { formatNumber, withUnit } from "../ui/numbers";

export interface LegendEntry {
    name: string;
    unit: string;
    description: string;
    color: string;
    /** Missing: the entry cannot be removed alone. */
    onRemove?: () => void;
}

export class PanelFrame {
    readonly element = element("section", "panel");
    readonly plot = element("div", "plot");
    private readonly legend = element("div", "legend");
    private readonly buttons = element("div", "panel-buttons");
    private values: { cell: HTMLElement; unit: string; shown: string }[] = [];

    constructor(label: string) {
        this.element.setAttribute("aria-label", label);
        this.element.append(element("div", "panel-head", this.buttons, this.legend), this.plot);
    }

    addButton(made: HTMLButtonElement, className: string): HTMLButtonElement {
        made.classList.add(className);
        this.buttons.append(made);
        return made;
    }

    setLegend(entries: LegendEntry[]): void {
        this.values = [];
        this.legend.replaceChildren(
            ...entries.map((entry) => {
                const dash = element("i", "");
                dash.style.color = entry.color;
                const name = element("span", "legend-name", entry.name);
                name.title = entry.description || entry.name;
                const cell = element("span", "legend-value");
                this.values.push({ cell, unit: entry.unit, shown: "" });
                const item = element("span", "legend-item", dash, name, cell);
                if (entry.onRemove) {
                    item.append(button(`Remove ${entry.name}`, "close", entry.onRemove));
                }
                return item;
            }),
        );
    }

    /** Shows the numbers at the current time. */
    setValues(numbers: number[]): void {
        numbers.forEach((number, i) => {
            const value = this.values[i];
            const text = withUnit(formatNumber(number), value?.unit ?? "");
            if (value && value.shown !== text) {
                value.shown = text;
                value.cell.textContent = text;
            }
        });
    }

    /** A note in place of the plot, or null. */
    setNote(text: string | null): void {
        this.plot.querySelector(".plot-empty")?.remove();
        if (text !== null) {
            this.plot.append(element("div", "plot-empty", text));
        }
    }
}

/** The canvas of a plot as a PNG with the page's background. */
export function canvasToPng(canvas: HTMLCanvasElement, done: (png: Blob) => void): void {
    const copy = document.createElement("canvas");
    copy.width = canvas.width;
    copy.height = canvas.height;
    const pen = copy.getContext("2d");
    if (!pen) {
        return;
    }
    pen.fillStyle = getComputedStyle(document.body).backgroundColor;
    pen.fillRect(0, 0, copy.width, copy.height);
    pen.drawImage(canvas, 0, 0);
    copy.toBlob((png) => {
        if (png) {
            done(png);
        }
    });
}
