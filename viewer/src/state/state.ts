// state.ts - what the user has chosen: selection, visible groups, camera mode, theme.
// SPDX-License-Identifier: BSD-3-Clause
import type { Preset } from "../data/format";
import { Signal } from "./signal";

export const groupNames = [
    "bodies",
    "joints",
    "forces",
    "reactions",
    "traces",
    "shadows",
    "labels",
    "grid",
    "axes",
] as const;
export type GroupName = (typeof groupNames)[number];
export type ObjectKind = "body" | "joint" | "force";

export interface Selection {
    kind: ObjectKind;
    /** Number in the scene's list of its kind. */
    number: number;
}

export type Projection = "perspective" | "parallel";
export type Theme = "light" | "dark";

export class State {
    readonly selection = new Signal<Selection | null>(null);
    readonly follow = new Signal<number | null>(null);
    readonly projection = new Signal<Projection>("perspective");
    readonly theme = new Signal<Theme>("light");
    readonly arrowScale = new Signal<number>(1);
    /** Bodies whose path the user asked for, besides the scene's traces. */
    readonly traced = new Signal<ReadonlySet<number>>(new Set());
    /** Last preset asked for; a new object each time, so that asking again counts. */
    readonly preset = new Signal<{ name: Preset | "fit" } | null>(null);
    readonly groups: Record<GroupName, Signal<boolean>> = {
        bodies: new Signal(true),
        joints: new Signal(true),
        forces: new Signal(true),
        reactions: new Signal(false),
        traces: new Signal(true),
        shadows: new Signal(true),
        labels: new Signal(false),
        grid: new Signal(true),
        axes: new Signal(true),
    };

    toggleGroup(name: GroupName): void {
        this.groups[name].set(!this.groups[name].value);
    }

    toggleTrace(body: number): void {
        const traced = new Set(this.traced.value);
        if (!traced.delete(body)) {
            traced.add(body);
        }
        this.traced.set(traced);
    }
}
