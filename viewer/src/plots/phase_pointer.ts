// phase_pointer.ts - drag in a phase portrait: moves the time to the nearest point of the path, or
// zooms into a rectangle (Shift, or by the zoom button); the wheel zooms with Ctrl or Shift.
// SPDX-License-Identifier: BSD-3-Clause
import type uPlot from "uplot";
import type { PlotContext } from "./context";

/** The part of both axes that is shown. */
export interface Area {
    x: [number, number];
    y: [number, number];
}

export interface PhaseActions {
    all: Area;
    /** Moves the time, to what is nearest to a point of the plot in pixels. */
    seek(left: number, top: number): void;
    zoom(area: Area | null): void;
}

/** Least side of a zoom, in pixels. */
const leastDrag = 6;
/** Least part of an axis that can be shown. */
const leastPart = 1e-6;

function scaled([low, high]: [number, number], at: number, factor: number, [least, most]: [number, number]): [number, number] {
    return [Math.max(at - (at - low) * factor, least), Math.min(at + (high - at) * factor, most)];
}

/** Listens to the plot's surface. */
export function followPhasePointer(plot: uPlot, context: PlotContext, { all, seek, zoom }: PhaseActions): void {
    const over = plot.over;
    const place = (event: MouseEvent): [number, number] => {
        const box = over.getBoundingClientRect();
        return [event.clientX - box.left, event.clientY - box.top];
    };
    const inside = (event: MouseEvent): [number, number] => {
        const [x, y] = place(event);
        return [Math.min(Math.max(x, 0), over.clientWidth), Math.min(Math.max(y, 0), over.clientHeight)];
    };
    let mode: "seek" | "zoom" | null = null;
    let start: [number, number] = [0, 0];
    const boxTo = ([x, y]: [number, number]) => ({
        left: Math.min(start[0], x), width: Math.abs(x - start[0]), top: Math.min(start[1], y), height: Math.abs(y - start[1]),
    });
    const show = ({ x, y }: Area) => {
        const parts = [(x[1] - x[0]) / (all.x[1] - all.x[0]), (y[1] - y[0]) / (all.y[1] - all.y[0])];
        if (parts.every((part) => part > leastPart)) {
            zoom(parts.every((part) => part > 1 - 1e-9) ? null : { x, y });
        }
    };
    over.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) {
            return;
        }
        over.setPointerCapture(event.pointerId);
        mode = event.shiftKey || context.zoomByDrag.value ? "zoom" : "seek";
        start = inside(event);
        if (mode === "seek") {
            seek(...place(event));
        }
    });
    over.addEventListener("pointermove", (event) => {
        if (mode === "seek") {
            seek(...place(event));
        } else if (mode === "zoom") {
            plot.setSelect(boxTo(inside(event)), false);
        }
    });
    const finish = (event: PointerEvent) => {
        if (mode === "zoom") {
            const { left, width, top, height } = boxTo(inside(event));
            plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
            if (width >= leastDrag && height >= leastDrag && event.type === "pointerup") {
                show({
                    x: [plot.posToVal(left, "x"), plot.posToVal(left + width, "x")],
                    y: [plot.posToVal(top + height, "y"), plot.posToVal(top, "y")],
                });
            }
        }
        mode = null;
    };
    over.addEventListener("pointerup", finish);
    over.addEventListener("pointercancel", finish);
    over.addEventListener("dblclick", () => zoom(null));
    over.addEventListener(
        "wheel",
        (event) => {
            if (event.ctrlKey || event.shiftKey) {
                event.preventDefault();
                const factor = (event.deltaY || event.deltaX) > 0 ? 1.25 : 0.8;
                const [left, top] = place(event);
                const { x, y } = plot.scales;
                show({
                    x: scaled([x.min ?? 0, x.max ?? 1], plot.posToVal(left, "x"), factor, all.x),
                    y: scaled([y.min ?? 0, y.max ?? 1], plot.posToVal(top, "y"), factor, all.y),
                });
            }
        },
        { passive: false },
    );
}
