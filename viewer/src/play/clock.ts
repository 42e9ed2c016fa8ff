// clock.ts - the time shown: play, pause, scrub, step. Rows may be unevenly spaced.
// SPDX-License-Identifier: BSD-3-Clause

/** Largest i with time[i] <= t, clamped to [0, n - 1]; time must not decrease. */
export function frameAt(time: ArrayLike<number>, t: number): number {
    let low = 0;
    let high = time.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (time[middle] <= t) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return Math.max(low, 0);
}

/** 1, 2 or 5 times a power of ten, the nearest on a logarithmic scale. */
export function roundSpeed(speed: number): number {
    const power = 10 ** Math.floor(Math.log10(speed));
    const lead = speed / power;
    return (lead < 1.5 ? 1 : lead < 3.2 ? 2 : lead < 7.2 ? 5 : 10) * power;
}

/** Usual speeds, in simulated seconds per second. */
const usual = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

/** Real time where it takes 4 to 20 s, else the round speed that takes about 10 s. */
export function defaultSpeed(duration: number): number {
    if (!(duration > 0) || (duration >= 4 && duration <= 20)) {
        return 1;
    }
    return roundSpeed(duration / 10);
}

/** Speeds to offer: the usual ones, or two decades to both sides of an unusual one. */
export function speedsAround(speed: number): number[] {
    const middle = speed < usual[0] || speed > usual[usual.length - 1] ? speed : 1;
    return usual.map((factor) => Number((factor * middle).toPrecision(6)));
}

export class Clock {
    /** Time shown. */
    time: number;
    /** Frame at or before it. */
    frame = 0;
    /** Part of the way from `frame` to the next, in [0, 1). */
    fraction = 0;
    playing = false;
    speed: number;
    /** Speeds to choose from, in rising order. */
    readonly speeds: number[];
    loop = true;
    /** Parts that are played one by one: modes. From and to, in times. */
    parts: [number, number][] = [];
    /** 1, or -1 where time runs backwards. */
    readonly way: 1 | -1;
    /** Times in the direction they run: never decreasing. */
    readonly axis: Float64Array;
    private readonly listeners: (() => void)[] = [];
    private readonly modeListeners: (() => void)[] = [];

    constructor(readonly times: Float64Array) {
        this.time = times.length ? times[0] : 0;
        this.way = this.end < this.start ? -1 : 1;
        this.axis = this.way > 0 ? times : times.map((t) => -t);
        this.speed = defaultSpeed(Math.abs(this.end - this.start));
        this.speeds = speedsAround(this.speed);
    }

    get rows(): number {
        return this.times.length;
    }
    get start(): number {
        return this.times.length ? this.times[0] : 0;
    }
    get end(): number {
        return this.times.length ? this.times[this.times.length - 1] : 0;
    }

    /** Calls back whenever the time shown changes. */
    onTime(listener: () => void): void {
        this.listeners.push(listener);
    }
    /** Calls back when playing, speed or loop change. */
    onMode(listener: () => void): void {
        this.modeListeners.push(listener);
    }

    setFrame(frame: number): void {
        this.frame = Math.min(Math.max(Math.round(frame), 0), Math.max(this.rows - 1, 0));
        this.fraction = 0;
        this.time = this.rows ? this.times[this.frame] : 0;
        this.tell(this.listeners);
    }

    setTime(time: number): void {
        const { axis, way } = this;
        const last = this.rows - 1;
        const t = this.rows ? Math.min(Math.max(way * time, axis[0]), axis[last]) : 0;
        this.time = way * t;
        this.frame = frameAt(axis, t);
        const step = this.frame < last ? axis[this.frame + 1] - axis[this.frame] : 0;
        this.fraction = step > 0 ? (t - axis[this.frame]) / step : 0;
        this.tell(this.listeners);
    }

    play(): void {
        if (this.rows < 2 || this.playing) {
            return;
        }
        const [start, end] = this.part() ?? [this.start, this.end];
        if (this.way * (this.time - end) >= 0) {
            this.setTime(start);
        }
        this.playing = true;
        this.tell(this.modeListeners);
    }

    pause(): void {
        if (this.playing) {
            this.playing = false;
            this.tell(this.modeListeners);
        }
    }

    toggle(): void {
        if (this.playing) {
            this.pause();
        } else {
            this.play();
        }
    }

    /** Goes n frames on (or back) and pauses. */
    step(n: number): void {
        this.pause();
        const backInside = n < 0 && this.fraction > 0 ? 1 : 0;
        this.setFrame(this.frame + n + backInside);
    }

    setSpeed(speed: number): void {
        const [slowest, fastest] = [this.speeds[0], this.speeds[this.speeds.length - 1]];
        this.speed = Math.min(Math.max(speed, slowest), fastest);
        this.tell(this.modeListeners);
    }

    /** The next of the speeds, up (1) or down (-1). */
    changeSpeed(way: 1 | -1): void {
        const list = way > 0 ? this.speeds : [...this.speeds].reverse();
        const next = list.find((s) => (way > 0 ? s > this.speed * 1.001 : s < this.speed * 0.999));
        this.setSpeed(next ?? this.speed);
    }

    setLoop(loop: boolean): void {
        this.loop = loop;
        this.tell(this.modeListeners);
    }

    /** Lets `seconds` of the wall pass. */
    advance(seconds: number): void {
        const [start, end] = this.part() ?? [this.start, this.end];
        const gone = this.way * (this.time - start) + seconds * this.speed;
        const duration = Math.abs(end - start);
        if (gone < duration) {
            this.setTime(start + this.way * gone);
        } else if (this.loop && duration > 0) {
            this.setTime(start + this.way * (gone % duration));
        } else if (this.parts.length) {
            this.setTime(end);
            this.pause();
        } else {
            this.setFrame(this.rows - 1);
            this.pause();
        }
    }

    /** The part of the time shown. */
    part(): [number, number] | null {
        const begun = this.parts.filter(([from]) => this.time >= from);
        return begun[begun.length - 1] ?? null;
    }

    private tell(listeners: (() => void)[]): void {
        for (const listener of listeners) {
            listener();
        }
    }
}
