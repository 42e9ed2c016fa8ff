// follow.ts - the camera goes with a body: eye and target move as the body's centre does.
// SPDX-License-Identifier: BSD-3-Clause
import { Vector3 } from "three";
import type { Scene, Vec3 } from "../data/format";
import type { State } from "../state/state";
import type { Cameras } from "./camera";
import type { Poses } from "./poses";

export class Follower {
    /** Where the body was when the camera was last set. */
    private before: Vector3 | null = null;

    constructor(
        private readonly scene: Scene,
        private readonly state: State,
        private readonly poses: Poses,
        private readonly cameras: Cameras,
    ) {}

    /** Where the followed body's centre is, or null. */
    get place(): Vector3 | null {
        const body = this.state.follow.value;
        if (body === null || body < 0 || body >= this.poses.count) {
            return null;
        }
        const now: Vec3 = [0, 0, 0];
        this.poses.point(body, this.scene.bodies[body].center ?? [0, 0, 0], now);
        return Math.abs(now[0]) + Math.abs(now[1]) + Math.abs(now[2]) < 1e30 ? new Vector3(...now) : null;
    }

    /** The camera stays as it is and goes with the body from now on. */
    begin(): void {
        this.before = this.place;
    }

    /** The camera turns to the body at the next frame. */
    centre(): void {
        this.before = null;
    }

    /** Moves the camera by what the body moved since the last call. */
    update(): void {
        const place = this.place;
        if (place) {
            this.cameras.shift(place.clone().sub(this.before ?? this.cameras.controls.target));
        }
        this.before = place;
    }
}
