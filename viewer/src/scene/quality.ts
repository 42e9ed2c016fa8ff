// quality.ts - how fine to draw: coarse in motion where that is slow, fine at rest.
//
// Graphics by software cost by the pixel. In motion the number of pixels is lowered until
// frames take less than `slow`; a moment after the last change one fine frame is drawn.
// SPDX-License-Identifier: BSD-3-Clause

const slow = 0.03;
const steps = [1, 0.8, 0.65, 0.5];
const framesPerTrial = 12;
const restDelay = 180;

/** Whether WebGL works at all, and whether it is drawn by software. */
export function probeWebGL(): { works: boolean; software: boolean } {
    try {
        const canvas = document.createElement("canvas");
        const gl = canvas.getContext("webgl2");
        if (!gl) {
            return { works: false, software: false };
        }
        const info = gl.getExtension("WEBGL_debug_renderer_info");
        const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
        gl.getExtension("WEBGL_lose_context")?.loseContext();
        return { works: true, software: /swiftshader|llvmpipe|software|basic render/i.test(name) };
    } catch {
        return { works: false, software: false };
    }
}

export class Quality {
    private step = 0;
    private frames = 0;
    private sum = 0;
    private timer = 0;
    private resting = false;
    private fineAsked = false;

    constructor(
        private readonly software: boolean,
        private readonly redraw: () => void,
    ) {}

    /** Pixels of the canvas per pixel of the page. */
    get ratio(): number {
        const screen = window.devicePixelRatio || 1;
        if (this.resting) {
            return this.software ? Math.max(2, Math.min(screen, 2)) : Math.min(screen, 2);
        }
        return Math.min(screen, this.software ? 1 : 2) * steps[this.step];
    }

    /** The next frame is to be fine at once. */
    askFine(): void {
        this.fineAsked = true;
    }

    /** A frame is about to be drawn; `seconds` since the one before, 0 if there was a pause. */
    begin(seconds: number, playing: boolean): void {
        this.resting = this.fineAsked && !playing;
        this.fineAsked = false;
        clearTimeout(this.timer);
        if (this.resting) {
            return;
        }
        if (!playing) {
            // A slow moment may be over when it plays again.
            this.step = Math.max(this.step - 1, 0);
            this.timer = window.setTimeout(() => {
                this.fineAsked = true;
                this.redraw();
            }, restDelay);
        }
        if (!(seconds > 0) || seconds > 1) {
            return;
        }
        this.sum += seconds;
        if (++this.frames === framesPerTrial) {
            const mean = this.sum / this.frames;
            if (mean > slow && this.step < steps.length - 1) {
                this.step++;
            }
            this.frames = 0;
            this.sum = 0;
        }
    }
}
