// loop.ts - draws when something changed and, while playing, at every frame of the screen.
// SPDX-License-Identifier: BSD-3-Clause
import type { Clock } from "./clock";

/** Longest step of the wall clock that counts: a page in the background does not jump. */
const longestStep = 0.25;

export class Loop {
    private pending = 0;
    private last = 0;
    private readonly drawers: ((seconds: number) => void)[] = [];

    constructor(private readonly clock: Clock) {
        // Scrubbing draws at once: browsers send such events once for each frame of the screen.
        clock.onTime(() => (clock.playing ? this.request() : this.flush()));
        clock.onMode(() => this.request());
    }

    /** Adds something to draw; it gets the seconds since the frame before (0 after a rest). */
    onDraw(drawer: (seconds: number) => void): void {
        this.drawers.push(drawer);
    }

    /** Asks for one frame. */
    request(): void {
        if (!this.pending) {
            this.pending = requestAnimationFrame((now) => this.run(now));
        }
    }

    /** Draws at once. */
    flush(): void {
        if (this.pending) {
            cancelAnimationFrame(this.pending);
            this.pending = 0;
        }
        this.draw(0);
        if (this.clock.playing) {
            this.request();
        }
    }

    private run(now: number): void {
        this.pending = 0;
        const seconds = this.last ? (now - this.last) / 1000 : 0;
        this.last = this.clock.playing ? now : 0;
        if (this.clock.playing && seconds > 0) {
            this.clock.advance(Math.min(seconds, longestStep));
            cancelAnimationFrame(this.pending);
            this.pending = 0;
        }
        this.draw(seconds);
        if (this.clock.playing) {
            this.request();
        }
    }

    private draw(seconds: number): void {
        for (const drawer of this.drawers) {
            drawer(seconds);
        }
    }
}
