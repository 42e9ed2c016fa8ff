// canvas.ts - a canvas as large as its place, drawn anew when that or the colours change.
// SPDX-License-Identifier: BSD-3-Clause
import { element } from "../ui/dom";

export const font = "11px system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif";

export class Sheet {
    readonly element: HTMLCanvasElement;
    width = 0;
    height = 0;
    private pending = 0;

    constructor(label: string, private readonly paint: (pen: CanvasRenderingContext2D, sheet: Sheet) => void) {
        this.element = element("canvas", "sheet");
        this.element.tabIndex = 0;
        this.element.setAttribute("role", "img");
        this.element.setAttribute("aria-label", label);
        new ResizeObserver(() => this.draw()).observe(this.element);
    }

    /** Soon, once. */
    draw(): void {
        this.pending ||= requestAnimationFrame(() => {
            this.pending = 0;
            const ratio = devicePixelRatio || 1;
            this.width = this.element.clientWidth;
            this.height = this.element.clientHeight;
            this.element.width = Math.round(this.width * ratio);
            this.element.height = Math.round(this.height * ratio);
            const pen = this.element.getContext("2d");
            if (pen && this.width > 0) {
                pen.scale(ratio, ratio);
                pen.font = font;
                this.paint(pen, this);
            }
        });
    }

    /** Calls back with places of clicks. */
    onClick(listener: (x: number, y: number, add: boolean) => void): void {
        this.element.addEventListener("click", (event) => {
            const box = this.element.getBoundingClientRect();
            listener(event.clientX - box.left, event.clientY - box.top, event.shiftKey || event.ctrlKey || event.metaKey);
        });
    }
}

export function colour(name: string): string {
    return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** Where a value lies between the ends; all alike: in the middle. */
export function part(value: number, min: number, max: number): number {
    return max > min ? (value - min) / (max - min) : 0.5;
}
