// path.ts - the path of a curve: where many rows share a column of pixels, only the first, the
// least, the greatest and the last of them are drawn. The picture is that of all rows.
// SPDX-License-Identifier: BSD-3-Clause
import type uPlot from "uplot";

type Pen = (x: number, y: number) => void;

/** Keeps what matters of the rows within one column of pixels. */
class PixelColumn {
    private count = 0;
    private first = [0, 0];
    private least = [0, 0];
    private greatest = [0, 0];
    private last = [0, 0];

    add(x: number, y: number): void {
        const point = [x, y];
        if (this.count++ === 0) {
            this.first = this.least = this.greatest = point;
        }
        if (y < this.least[1]) {
            this.least = point;
        }
        if (y > this.greatest[1]) {
            this.greatest = point;
        }
        this.last = point;
    }

    flush(pen: Pen): void {
        if (!this.count) {
            return;
        }
        pen(this.first[0], this.first[1]);
        const inner = [this.least, this.greatest].sort((a, b) => a[0] - b[0]);
        for (const point of inner) {
            if (point !== this.first && point !== this.last) {
                pen(point[0], point[1]);
            }
        }
        if (this.count > 1) {
            pen(this.last[0], this.last[1]);
        }
        this.count = 0;
    }
}

/** A path builder for uPlot. */
export const drawExtremes: uPlot.Series.PathBuilder = (plot, series, from, to) => {
    const stroke = new Path2D();
    const x = plot.data[0];
    const y = plot.data[series];
    const column = new PixelColumn();
    let down = false;
    let pixel = NaN;
    const pen: Pen = (px, py) => {
        if (down) {
            stroke.lineTo(px, py);
        } else {
            stroke.moveTo(px, py);
        }
        down = true;
    };
    // One row beyond each end: the curve leaves the frame.
    const begin = Math.max(from - 1, 0);
    const end = Math.min(to + 1, x.length - 1);
    for (let i = begin; i <= end; i++) {
        const value = y[i];
        if (value === null || value === undefined) {
            column.flush(pen);
            down = false;
            continue;
        }
        const px = plot.valToPos(x[i], "x", true);
        const py = plot.valToPos(value, "y", true);
        if (Math.floor(px) !== pixel) {
            column.flush(pen);
            pixel = Math.floor(px);
        }
        column.add(px, py);
    }
    column.flush(pen);
    return { stroke, fill: null, clip: null, flags: 1 };
};
