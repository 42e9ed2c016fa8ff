// camera.ts - the two cameras (perspective, parallel), presets, fitting and following.
//
// Planar scenes are seen along -z with up = y and never rotated.
// SPDX-License-Identifier: BSD-3-Clause
import { Box3, MOUSE, OrthographicCamera, PerspectiveCamera, TOUCH, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Preset, Scene, Vec3 } from "../data/format";
import type { Extent } from "./extent";
import type { Projection } from "../state/state";

const fieldOfView = 35;
/** Room around the mechanism when it is fitted into the view. */
const margin = 1.12;

export interface CameraState {
    position: Vec3;
    target: Vec3;
    zoom: number;
}

export class Cameras {
    current: PerspectiveCamera | OrthographicCamera;
    readonly controls: OrbitControls;
    private readonly perspective = new PerspectiveCamera(fieldOfView, 1, 0.01, 1000);
    private readonly parallel = new OrthographicCamera(-1, 1, 1, -1, -1000, 1000);
    private readonly up: Vector3;
    private aspect = 1;
    /** The aspect when the camera was set; 0: it is not. */
    private aspectThen = 0;
    /** Half the height the parallel camera sees at zoom 1. */
    private halfHeight: number;

    constructor(
        private readonly scene: Scene,
        element: HTMLElement,
        onChange: () => void,
    ) {
        this.up = new Vector3(...scene.up).normalize();
        this.halfHeight = scene.size || 1;
        this.perspective.up.copy(this.up);
        this.parallel.up.copy(this.up);
        this.current = scene.dimension === 2 ? this.parallel : this.perspective;
        this.controls = new OrbitControls(this.current, element);
        this.controls.addEventListener("change", onChange);
        this.controls.zoomToCursor = true;
        if (scene.dimension === 2) {
            this.controls.enableRotate = false;
            this.controls.mouseButtons = { LEFT: MOUSE.PAN, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
            this.controls.touches = { ONE: TOUCH.PAN, TWO: TOUCH.DOLLY_PAN };
        }
    }

    /** A view that becomes narrower than when the camera was set moves back, so that it shows as much across. */
    resize(width: number, height: number): void {
        const narrowed = () => Math.max(1, this.aspectThen / this.aspect);
        const before = narrowed();
        this.aspect = width / Math.max(height, 1);
        const factor = narrowed() / before;
        const { position } = this.current;
        position.sub(this.controls.target).multiplyScalar(factor).add(this.controls.target);
        this.halfHeight *= factor;
        this.project();
    }

    setProjection(projection: Projection): void {
        const next =
            this.scene.dimension === 2 || projection === "parallel" ? this.parallel : this.perspective;
        if (next === this.current) {
            return;
        }
        const target = this.controls.target;
        const offset = this.current.position.clone().sub(target);
        const tangent = Math.tan((fieldOfView * Math.PI) / 360);
        if (next === this.parallel) {
            this.halfHeight = offset.length() * tangent;
            this.parallel.zoom = 1;
            next.position.copy(target).add(offset);
        } else {
            const distance = this.halfHeight / this.parallel.zoom / tangent;
            next.position.copy(target).add(offset.setLength(distance));
        }
        this.current = next;
        this.controls.object = next;
        this.project();
        this.controls.update();
    }

    /** Looks from a preset's direction and fits the box; "fit" keeps the direction. */
    show(name: Preset | "fit", extent: Extent): void {
        const direction =
            name === "fit"
                ? this.current.position.clone().sub(this.controls.target)
                : this.presetDirection(name);
        this.fit(direction, extent);
    }

    /** The scene's own camera, or the preset it asks for. */
    showInitial(extent: Extent): void {
        const wish = this.scene.camera;
        if (wish && "from" in wish && this.scene.dimension === 3) {
            this.current.position.set(...wish.from);
            this.controls.target.set(...wish.to);
            this.clip(extent.box);
            this.controls.update();
        } else {
            this.show(wish && "preset" in wish ? wish.preset : "iso", extent);
        }
    }

    /** Moves eye and target together. */
    shift(by: Vector3): void {
        this.current.position.add(by);
        this.controls.target.add(by);
        this.current.updateMatrixWorld();
    }

    get state(): CameraState {
        const position = this.current.position;
        const target = this.controls.target;
        return {
            position: [position.x, position.y, position.z],
            target: [target.x, target.y, target.z],
            zoom: this.current === this.parallel ? this.halfHeight / this.parallel.zoom : 1,
        };
    }

    restore(state: CameraState, box: Box3): void {
        this.aspectThen = this.aspect;
        this.current.position.set(...state.position);
        this.controls.target.set(...state.target);
        if (this.current === this.parallel) {
            this.halfHeight = state.zoom;
            this.parallel.zoom = 1;
        }
        this.clip(box);
        this.project();
        this.controls.update();
    }

    /** Height of the view at the target, in metres. */
    get viewHeight(): number {
        if (this.current === this.parallel) {
            return (2 * this.halfHeight) / this.parallel.zoom;
        }
        const distance = this.current.position.distanceTo(this.controls.target);
        return 2 * distance * Math.tan((fieldOfView * Math.PI) / 360);
    }

    private presetDirection(name: Preset): Vector3 {
        if (this.scene.dimension === 2) {
            return new Vector3(0, 0, 1);
        }
        // Two level directions that make a right-handed frame with up.
        const level = Math.abs(this.up.x) > 0.9 ? new Vector3(0, 1, 0) : new Vector3(1, 0, 0);
        const right = level.addScaledVector(this.up, -level.dot(this.up)).normalize();
        const away = new Vector3().crossVectors(this.up, right);
        switch (name) {
            case "front":
                return away.negate();
            case "side":
                return right;
            case "top":
                return this.up.clone().addScaledVector(away, -1e-4);
            default:
                return right.multiplyScalar(0.62).addScaledVector(away, -0.9).addScaledVector(this.up, 0.5);
        }
    }

    /** Looks along the direction at the middle of the points, as near as they all allow. */
    private fit(direction: Vector3, extent: Extent): void {
        this.aspectThen = this.aspect;
        const forward = direction.clone().normalize();
        const side = new Vector3().crossVectors(this.up, forward).normalize();
        const above = new Vector3().crossVectors(forward, side);
        const low = new Vector3(Infinity, Infinity, Infinity);
        const high = new Vector3(-Infinity, -Infinity, -Infinity);
        const seen = extent.points.map((p) => new Vector3(p.dot(side), p.dot(above), p.dot(forward)));
        for (const p of seen) {
            low.min(p);
            high.max(p);
        }
        const middle = low.clone().add(high).multiplyScalar(0.5);
        const tangent = Math.tan((fieldOfView * Math.PI) / 360) / margin;
        let distance = 0;
        let height = 1e-9;
        for (const p of seen) {
            p.sub(middle);
            const half = Math.max(Math.abs(p.y), Math.abs(p.x) / this.aspect);
            distance = Math.max(distance, half / tangent + p.z);
            height = Math.max(height, margin * half);
        }
        this.halfHeight = height;
        this.parallel.zoom = 1;
        this.controls.target
            .set(0, 0, 0)
            .addScaledVector(side, middle.x)
            .addScaledVector(above, middle.y)
            .addScaledVector(forward, middle.z);
        this.current.position.copy(this.controls.target).addScaledVector(forward, distance || 1);
        this.clip(extent.box);
        this.project();
        this.controls.update();
    }

    /** Near and far planes that hold the box from wherever the user may go. */
    private clip(box: Box3): void {
        const size = box.getSize(new Vector3()).length() || 1;
        this.perspective.near = size * 2e-3;
        this.perspective.far = size * 200;
        // Layers of planar scenes reach from -150 to 200 times the mechanism's size.
        const deep = 300 * Math.max(size, this.scene.size || 1);
        this.parallel.near = -deep;
        this.parallel.far = deep;
        this.controls.minDistance = size * 5e-3;
        this.controls.maxDistance = size * 60;
        this.controls.minZoom = 0.02;
        this.controls.maxZoom = 200;
    }

    private project(): void {
        this.perspective.aspect = this.aspect;
        this.perspective.updateProjectionMatrix();
        this.parallel.top = this.halfHeight;
        this.parallel.bottom = -this.halfHeight;
        this.parallel.right = this.halfHeight * this.aspect;
        this.parallel.left = -this.parallel.right;
        this.parallel.updateProjectionMatrix();
    }
}
