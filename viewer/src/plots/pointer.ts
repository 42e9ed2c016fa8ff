// pointer.ts - drag in a plot: moves the time, or zooms (Shift, or by the zoom button).
// SPDX-License-Identifier: BSD-3-Clause
import type uPlot from "uplot";
import { type Clock, frameAt } from "../play/clock";
import type { PlotContext, Range } from "./context";

/** The frame nearest to a time. */
function nearestFrame({ axis, way }: Clock, time: number): number {
    const t = way * time;
    const frame = frameAt(axis, t);
    const next = Math.min(frame + 1, axis.length - 1);
    return Math.abs(axis[next] - t) < Math.abs(axis[frame] - t) ? next : frame;
}

/** Least width of a zoom, in pixels. */
const leastDrag = 6;

function zoomAt(context: PlotContext, at: number, factor: number): void {
    const { clock, range } = context;
    const low = Math.min(clock.start, clock.end);
    const high = Math.max(clock.start, clock.end);
    const now: Range = range.value ?? { min: low, max: high };
    const min = Math.max(at - (at - now.min) * factor, low);
    const max = Math.min(at + (now.max - at) * factor, high);
    const all = min <= low && max >= high;
    if (all || max - min > 1e-9 * (high - low)) {
        range.set(all ? null : { min, max });
    }
}

/** Listens to the plot's surface. */
export function followPointer(plot: uPlot, context: PlotContext): void {
    const { clock, range, zoomByDrag } = context;
    const over = plot.over;
    const left = (event: MouseEvent) => event.clientX - over.getBoundingClientRect().left;
    const timeAt = (event: MouseEvent) => plot.posToVal(left(event), "x");
    let mode: "scrub" | "zoom" | null = null;
    let start = 0;

    const scrub = (event: PointerEvent) => {
        clock.pause();
        clock.setFrame(nearestFrame(clock, timeAt(event)));
    };
    over.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) {
            return;
        }
        over.setPointerCapture(event.pointerId);
        mode = event.shiftKey || zoomByDrag.value ? "zoom" : "scrub";
        start = left(event);
        if (mode === "scrub") {
            scrub(event);
        }
    });
    over.addEventListener("pointermove", (event) => {
        if (mode === "scrub") {
            scrub(event);
        } else if (mode === "zoom") {
            const x = Math.min(Math.max(left(event), 0), over.clientWidth);
            const box = { left: Math.min(start, x), width: Math.abs(x - start), top: 0, height: over.clientHeight };
            plot.setSelect(box, false);
        }
    });
    const finish = (event: PointerEvent) => {
        if (mode === "zoom") {
            const x = Math.min(Math.max(left(event), 0), over.clientWidth);
            plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
            if (Math.abs(x - start) >= leastDrag && event.type === "pointerup") {
                const ends = [plot.posToVal(start, "x"), plot.posToVal(x, "x")];
                range.set({ min: Math.min(...ends), max: Math.max(...ends) });
            }
        }
        mode = null;
    };
    over.addEventListener("pointerup", finish);
    over.addEventListener("pointercancel", finish);
    over.addEventListener("dblclick", () => range.set(null));
    over.addEventListener(
        "wheel",
        (event) => {
            if (event.ctrlKey || event.shiftKey) {
                event.preventDefault();
                const turn = event.deltaY || event.deltaX;
                zoomAt(context, timeAt(event), turn > 0 ? 1.25 : 0.8);
            }
        },
        { passive: false },
    );
}
