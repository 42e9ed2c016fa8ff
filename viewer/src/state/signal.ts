// signal.ts - a value that tells its listeners when it changes.
// SPDX-License-Identifier: BSD-3-Clause

export class Signal<T> {
    private readonly listeners: ((value: T) => void)[] = [];

    constructor(private held: T) {}

    get value(): T {
        return this.held;
    }

    set(value: T): void {
        if (value !== this.held) {
            this.held = value;
            for (const listener of this.listeners) {
                listener(value);
            }
        }
    }

    on(listener: (value: T) => void): void {
        this.listeners.push(listener);
    }
}
