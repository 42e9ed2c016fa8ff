// kept.ts - what the user had set, written before a reload and taken up after it.
//
// Objects are kept by name: the new page may number them differently.
// SPDX-License-Identifier: BSD-3-Clause
import type { PanelState } from "../plots/context";
import type { CameraState } from "../scene/camera";
import { type Parts, selectionName } from "../testing";
import { type GroupName, groupNames, type ObjectKind, type Projection } from "./state";

export interface Kept {
    time: number;
    playing: boolean;
    speed: number;
    loop: boolean;
    panels: PanelState[];
    selection: { kind: ObjectKind; name: string } | null;
    follow: string | null;
    groups: Record<GroupName, boolean>;
    arrowScale: number;
    projection: Projection;
    camera: CameraState | null;
}

export function keepState({ clock, state, panels, view, scene }: Parts): Kept {
    const follow = state.follow.value;
    return {
        time: clock?.time ?? 0,
        playing: clock?.playing ?? false,
        speed: clock?.speed ?? 1,
        loop: clock?.loop ?? true,
        panels: panels?.state ?? [],
        selection: selectionName(scene, state) as Kept["selection"],
        follow: follow === null ? null : (scene?.bodies[follow]?.name ?? null),
        groups: Object.fromEntries(
            groupNames.map((name) => [name, state.groups[name].value]),
        ) as Kept["groups"],
        arrowScale: state.arrowScale.value,
        projection: state.projection.value,
        camera: view?.cameras.state ?? null,
    };
}

/** Takes up what does not need the finished page. */
export function restoreState(kept: Kept | null, { clock, state, scene }: Parts): void {
    if (!kept || !clock) {
        return;
    }
    clock.setSpeed(kept.speed);
    clock.setLoop(kept.loop);
    for (const name of groupNames) {
        state.groups[name].set(kept.groups[name]);
    }
    state.arrowScale.set(kept.arrowScale);
    state.projection.set(kept.projection);
    const { selection } = kept;
    if (scene && selection) {
        const lists = { body: scene.bodies, joint: scene.joints, force: scene.forces };
        const number = lists[selection.kind].findIndex((object) => object.name === selection.name);
        state.selection.set(number < 0 ? null : { kind: selection.kind, number });
    }
    const follow = scene?.bodies.findIndex((body) => body.name === kept.follow) ?? -1;
    state.follow.set(follow < 0 ? null : follow);
}

/** Takes up time and camera, when all else stands. */
export function restoreView(kept: Kept | null, { clock, view }: Parts): void {
    if (!kept || !clock) {
        return;
    }
    clock.setTime(kept.time);
    if (kept.camera && view) {
        view.restoreCamera(kept.camera);
    }
    if (kept.playing) {
        clock.play();
    }
}
