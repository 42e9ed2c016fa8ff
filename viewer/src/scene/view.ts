// view.ts - the moving picture: layers of solids, lines and labels, drawn when something changed.
// SPDX-License-Identifier: BSD-3-Clause
import { Color, Scene as ThreeScene, Vector2, Vector3, WebGLRenderer } from "three";
import type { Scene, Vec3 } from "../data/format";
import type { Store } from "../data/store";
import type { Clock } from "../play/clock";
import type { Loop } from "../play/loop";
import type { State } from "../state/state";
import { addBodies } from "./bodies";
import { Cameras, type CameraState } from "./camera";
import { type Extent, glyphSize, sceneExtent, sceneScale } from "./extent";
import { Follower } from "./follow";
import { addForces } from "./forces";
import { Gizmo } from "./gizmo";
import { addJoints } from "./joints";
import { Grid } from "./grid";
import { Labels } from "./labels";
import { Layer } from "./layer";
import { addLines } from "./lines";
import { createLight, type Light, turnLight } from "./light";
import { sceneColors } from "./palette";
import { pick } from "./picking";
import { namesOf, poseColumns, Poses } from "./poses";
import { Quality } from "./quality";
import { addReactions } from "./reactions";
import { Shadows } from "./shadows";
import { Traces } from "./traces";
import type { Drawn, SceneContext } from "./context";

export class View {
    framesDrawn = 0;
    readonly poses: Poses;
    readonly cameras: Cameras;
    private extent: Extent;
    private readonly renderer: WebGLRenderer;
    private readonly three = new ThreeScene();
    private readonly layers: Record<"bodies" | "joints" | "forces" | "reactions", Layer>;
    private readonly drawn: Drawn[] = [];
    private readonly light: Light;
    private readonly quality: Quality;
    private readonly grid: Grid;
    private readonly labels: Labels;
    private readonly gizmo: Gizmo;
    private readonly traces: Traces;
    private readonly shadows: Shadows | null;
    private readonly follower: Follower;
    private width = 1;
    private height = 1;
    private drawnRatio = 0;
    private readonly pixel = { value: new Vector2(1, 1) };

    /** Columns to load before the view is made. */
    static columns(scene: Scene): string[] {
        const refs = [...scene.lines.flatMap((line) => line.points.flat())];
        refs.push(...scene.traces.flatMap((trace) => trace.point));
        const names = refs.filter((ref): ref is string => typeof ref === "string");
        for (const force of scene.forces) {
            if (["arrow", "torque", "contact"].includes(force.glyph)) {
                names.push(...namesOf([force.value, ...(force.components ?? [])]));
            }
        }
        return [...poseColumns(scene.bodies), ...names];
    }

    constructor(
        private readonly scene: Scene,
        store: Store,
        private readonly clock: Clock,
        private readonly state: State,
        private readonly loop: Loop,
        private readonly holder: HTMLElement,
        software: boolean,
    ) {
        const planar = scene.dimension === 2;
        const up = new Vector3(...scene.up).normalize();
        this.poses = new Poses(store, scene.bodies);
        this.extent = sceneExtent(scene, store, this.poses);
        this.light = createLight(up, planar, scene.size || 1);
        this.renderer = createRenderer(!software);
        this.renderer.domElement.id = "scene";
        this.renderer.domElement.tabIndex = 0;
        this.renderer.domElement.setAttribute("aria-label", "The mechanism");
        this.renderer.outputColorSpace = "srgb-linear";
        holder.prepend(this.renderer.domElement);
        this.quality = new Quality(software, () => this.loop.request());
        this.cameras = new Cameras(scene, this.renderer.domElement, () => this.loop.request());

        const glyph = glyphSize(scene);
        const create = () => new Layer(this.poses);
        this.layers = { bodies: create(), joints: create(), forces: create(), reactions: create() };
        const context: SceneContext = {
            scene, store, clock, state, poses: this.poses, glyph, planar,
            size: sceneScale(scene),
            redraw: () => this.changed(),
        };
        addBodies(this.layers.bodies, scene.bodies);
        this.drawn.push(addLines(this.layers.bodies, context));
        this.drawn.push(addJoints(this.layers.joints, context));
        this.drawn.push(addForces(this.layers.forces, context));
        this.drawn.push(addReactions(this.layers.reactions, context));
        for (const layer of Object.values(this.layers)) {
            layer.build(software);
            this.three.add(layer.group);
        }
        this.grid = new Grid(scene, this.extent.box, holder);
        this.traces = new Traces(context, this.pixel);
        this.labels = new Labels(scene, this.poses, holder);
        this.gizmo = new Gizmo(holder);
        this.three.add(this.grid.object, this.traces.object);
        this.shadows = planar ? null : this.createShadows(up);

        this.follower = new Follower(scene, state, this.poses, this.cameras);
        this.listen(store);
        this.resize();
        this.poses.update(clock.frame, clock.fraction);
        this.cameras.showInitial(this.extent);
        state.follow.set(scene.follow ?? null);
        if (scene.camera && "from" in scene.camera) {
            this.follower.begin();
        } else if (scene.follow !== null) {
            state.preset.set({ name: scene.camera?.preset ?? "iso" });
        }
    }

    /** Draws the time shown. */
    draw(seconds: number): void {
        this.quality.begin(this.clock.playing ? seconds : 0, this.clock.playing);
        const { frame, fraction } = this.clock;
        this.poses.update(frame, fraction);
        this.follower.update();
        for (const drawn of this.drawn) {
            drawn(frame, fraction);
        }
        const camera = this.cameras.current;
        camera.updateMatrixWorld();
        turnLight(this.light, camera);
        this.light.leastScale = (0.7 * this.cameras.viewHeight) / this.height;
        for (const layer of Object.values(this.layers)) {
            layer.update(this.light);
        }
        this.traces.update();
        this.pixel.value.set(2 / this.width, 2 / this.height);
        this.grid.update(this.cameras);
        this.applySize();
        this.renderer.render(this.three, camera);
        this.labels.update(camera, this.width, this.height, this.state);
        this.gizmo.update(camera, this.state.groups.axes.value);
        this.framesDrawn++;
    }

    /** The next frame is drawn in full quality, without waiting for rest. */
    askFine(): void {
        this.quality.askFine();
    }

    /** Something but the time changed. */
    changed(): void {
        this.loop.request();
    }

    /** Where a body's centre is in the window, in pixels. */
    screen(body: number): [number, number] {
        const world: Vec3 = [0, 0, 0];
        this.poses.point(body, this.scene.bodies[body].center ?? [0, 0, 0], world);
        const p = new Vector3(...world).project(this.cameras.current);
        const rectangle = this.renderer.domElement.getBoundingClientRect();
        return [
            rectangle.left + (0.5 + 0.5 * p.x) * rectangle.width,
            rectangle.top + (0.5 - 0.5 * p.y) * rectangle.height,
        ];
    }

    /** Sets the camera as it was; a followed body is followed from there. */
    restoreCamera(state: CameraState): void {
        this.poses.update(this.clock.frame, this.clock.fraction);
        this.cameras.restore(state, this.extent.box);
        this.follower.begin();
        this.changed();
    }

    resize(): void {
        this.width = Math.max(this.holder.clientWidth, 1);
        this.height = Math.max(this.holder.clientHeight, 1);
        this.drawnRatio = 0;
        this.cameras.resize(this.width, this.height);
    }

    private applySize(): void {
        const ratio = this.quality.ratio;
        if (ratio !== this.drawnRatio) {
            this.drawnRatio = ratio;
            this.renderer.setPixelRatio(ratio);
            this.renderer.setSize(this.width, this.height);
        }
    }

    /** Bodies and joints throw shadows; arrows and springs would only clutter the ground. */
    private createShadows(up: Vector3): Shadows {
        const { bodies, joints } = this.layers;
        const shadows = new Shadows([...bodies.opaque, ...joints.opaque], up, this.grid.height);
        this.three.add(shadows.object);
        return shadows;
    }

    /** What is hidden throws none. */
    private showShadows(shown: boolean): void {
        const { bodies, joints } = this.layers;
        this.shadows?.object.children.forEach((shadow, i) => {
            const layer = i < bodies.opaque.length ? bodies : joints;
            shadow.visible = shown && layer.group.visible;
        });
    }

    private listen(store: Store): void {
        const { state } = this;
        const repaint = () => {
            const colors = sceneColors[state.theme.value];
            for (const layer of Object.values(this.layers)) {
                layer.paint(state.selection.value, colors.accent);
            }
            this.three.background = rawColor(colors.background);
            this.grid.paint(colors.grid);
            this.shadows?.paint(colors.shadow);
            this.changed();
        };
        state.selection.on(repaint);
        state.theme.on(repaint);
        repaint();
        const show = () => {
            for (const name of ["bodies", "joints", "forces", "reactions"] as const) {
                this.layers[name].group.visible = state.groups[name].value;
            }
            this.grid.show(state.groups.grid.value);
            this.showShadows(state.groups.shadows.value);
            this.traces.object.visible = state.groups.traces.value;
            this.changed();
        };
        for (const signal of Object.values(state.groups)) {
            signal.on(show);
        }
        show();
        state.arrowScale.on(() => this.changed());
        state.traced.on(() => this.changed());
        state.projection.on((projection) => {
            this.cameras.setProjection(projection);
            this.changed();
        });
        state.preset.on((preset) => {
            if (preset) {
                // Points of the extent count from the followed body.
                this.poses.update(this.clock.frame, this.clock.fraction);
                this.cameras.show(preset.name, this.extent);
                this.cameras.shift(this.follower.place ?? new Vector3());
                this.follower.begin();
                this.changed();
            }
        });
        state.follow.on((body) => {
            this.follower.centre();
            this.extent = sceneExtent(this.scene, store, this.poses, body);
            this.poses.update(this.clock.frame, this.clock.fraction); // it went through all frames
            this.changed();
        });
        new ResizeObserver(() => {
            this.resize();
            this.loop.flush();
        }).observe(this.holder);
        this.listenForClicks();
    }

    /** A press and release without a drag selects what is under it. */
    private listenForClicks(): void {
        const canvas = this.renderer.domElement;
        let from: [number, number] | null = null;
        canvas.addEventListener("pointerdown", (event) => {
            from = event.isPrimary && event.button === 0 ? [event.clientX, event.clientY] : null;
        });
        canvas.addEventListener("pointerup", (event) => {
            if (!from || Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 5) {
                return;
            }
            from = null;
            const rectangle = canvas.getBoundingClientRect();
            const x = (2 * (event.clientX - rectangle.left)) / rectangle.width - 1;
            const y = 1 - (2 * (event.clientY - rectangle.top)) / rectangle.height;
            this.state.selection.set(
                pick(
                    x,
                    y,
                    this.cameras.current,
                    Object.values(this.layers),
                    this.poses.worlds,
                    this.scene.dimension === 2,
                ),
            );
        });
    }
}

/** An opaque canvas: the browser need not blend it with what is behind, which three.js lets it. */
function createRenderer(antialias: boolean): WebGLRenderer {
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("webgl2", {
        alpha: false,
        antialias,
        stencil: false,
        powerPreference: "high-performance",
    });
    if (!context) {
        throw new Error("WebGL gives no context");
    }
    return new WebGLRenderer({ canvas, context, antialias });
}

/** A colour that is drawn as it is written. */
function rawColor(hex: string): Color {
    return new Color().setStyle(hex, "srgb-linear");
}
