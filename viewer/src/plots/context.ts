// context.ts - what all panels share.
// SPDX-License-Identifier: BSD-3-Clause
import type { Store } from "../data/store";
import type { Clock } from "../play/clock";
import type { Signal } from "../state/signal";
import type { State } from "../state/state";
import type { SharedWidth } from "./axes";

export interface Range {
    min: number;
    max: number;
}

export interface PlotContext {
    store: Store;
    clock: Clock;
    state: State;
    /** The part of time that is shown in all panels; null: all of it. */
    range: Signal<Range | null>;
    /** Whether dragging in a plot zooms instead of moving the time. */
    zoomByDrag: Signal<boolean>;
    /** Width of the vertical axes. */
    axisWidth: SharedWidth;
    /** Tells what cannot be done. */
    complain(message: string): void;
}

export interface PanelState {
    kind: "time" | "phase";
    names: string[];
    log: boolean;
}

export interface Panel {
    readonly element: HTMLElement;
    readonly state: PanelState;
    /** Makes the plot from its columns; also after theme or names changed. */
    rebuild(): Promise<void>;
    /** Follows the time shown. */
    update(): void;
    /** Adds or removes a column. */
    toggle(name: string): void;
    destroy(): void;
}
