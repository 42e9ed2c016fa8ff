// context.ts - what the parts of the scene are built from.
// SPDX-License-Identifier: BSD-3-Clause
import type { Scene } from "../data/format";
import type { Store } from "../data/store";
import type { Clock } from "../play/clock";
import type { State } from "../state/state";
import type { Poses } from "./poses";

export interface SceneContext {
    scene: Scene;
    store: Store;
    clock: Clock;
    state: State;
    poses: Poses;
    planar: boolean;
    /** Typical length of the mechanism. */
    size: number;
    /** Size of joint glyphs. */
    glyph: number;
    /** Asks for a frame. */
    redraw(): void;
}

/** Moves free instances to where they are at a frame, or part of the way to the next. */
export type Drawn = (frame: number, fraction: number) => void;
