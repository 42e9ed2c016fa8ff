// testing.ts - window.crank: what tests read and drive; docs/develop/page.md is the contract.
// SPDX-License-Identifier: BSD-3-Clause
import type { Store } from "./data/store";
import type { Scene } from "./data/format";
import type { Panels } from "./plots/panels";
import type { Clock } from "./play/clock";
import type { Loop } from "./play/loop";
import type { View } from "./scene/view";
import { groupNames, type State } from "./state/state";

/** What the interface stands on; parts are missing until they are made. */
export interface Parts {
    ready: boolean;
    error: string | null;
    store: Store | null;
    clock: Clock | null;
    loop: Loop | null;
    view: View | null;
    panels: Panels | null;
    scene: Scene | null;
    /** Of a study: what startStudy offers. */
    study: unknown;
    state: State;
}

/** Name of what is selected. */
export function selectionName(scene: Scene | null, state: State): { kind: string; name: string } | null {
    const selection = state.selection.value;
    if (!scene || !selection) {
        return null;
    }
    const lists = { body: scene.bodies, joint: scene.joints, force: scene.forces };
    const object = lists[selection.kind][selection.number];
    return object ? { kind: selection.kind, name: object.name } : null;
}

export function stateOf(parts: Parts): Record<string, unknown> {
    const { clock, state, view, panels, scene } = parts;
    const follow = state.follow.value;
    return {
        playing: clock?.playing ?? false,
        speed: clock?.speed ?? 1,
        loop: clock?.loop ?? true,
        theme: state.theme.value,
        selection: selectionName(scene, state),
        projection: scene?.dimension === 2 ? "parallel" : state.projection.value,
        follow: follow === null ? null : (scene?.bodies[follow]?.name ?? null),
        camera: view?.cameras.state ?? null,
        groups: Object.fromEntries(groupNames.map((name) => [name, state.groups[name].value])),
        reactionScale: state.arrowScale.value,
        panels: panels?.state ?? [],
        scene: scene !== null,
        webgl: view !== null,
    };
}

export function offerTesting(parts: Parts): void {
    const bodyNumber = (name: string) => parts.scene?.bodies.findIndex((b) => b.name === name) ?? -1;
    const go = (move: (clock: Clock) => void) => {
        if (parts.clock) {
            parts.clock.pause();
            move(parts.clock);
            parts.view?.askFine();
            parts.loop?.flush();
        }
    };
    const offered = {
        get ready() { return parts.ready; },
        get error() { return parts.error; },
        get rows() { return parts.store?.rows ?? 0; },
        get frame() { return parts.clock?.frame ?? 0; },
        get time() { return parts.clock?.time ?? 0; },
        get playing() { return parts.clock?.playing ?? false; },
        get framesDrawn() { return parts.view?.framesDrawn ?? 0; },
        get names() { return parts.store?.index.columns.map((column) => column.name) ?? []; },
        get state() { return stateOf(parts); },
        get study() { return parts.study; },
        setFrame: (frame: number) => go((clock) => clock.setFrame(frame)),
        setTime: (time: number) => go((clock) => clock.setTime(time)),
        play: () => parts.clock?.play(),
        pause: () => parts.clock?.pause(),
        pose(name: string) {
            const number = bodyNumber(name);
            if (number < 0 || !parts.view) {
                return null;
            }
            const pose = parts.view.poses.poses.subarray(7 * number, 7 * number + 7);
            return { position: [...pose.subarray(0, 3)], quaternion: [...pose.subarray(3)] };
        },
        screen(name: string) {
            const number = bodyNumber(name);
            return number < 0 || !parts.view ? null : parts.view.screen(number);
        },
        async values(name: string) {
            if (!parts.store) {
                throw new Error("the page holds no data");
            }
            return Array.from(await parts.store.values(name));
        },
    };
    Object.defineProperty(window, "crank", { value: Object.freeze(offered) });
}
