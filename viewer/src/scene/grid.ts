// grid.ts - a grid in the plane across `up` (planar: behind the mechanism), with a round step.
// SPDX-License-Identifier: BSD-3-Clause
import { Box3, BufferAttribute, BufferGeometry, Color, LineSegments, ShaderMaterial, Vector3 } from "three";
import type { Scene } from "../data/format";
import { element } from "../ui/dom";
import { formatNumber } from "../ui/numbers";
import type { Cameras } from "./camera";

const half = 20;

/** 1, 2 or 5 times a power of ten, not above x. */
export function roundDown(x: number): number {
    const power = 10 ** Math.floor(Math.log10(x));
    const lead = x / power;
    return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * power;
}

export class Grid {
    readonly object: LineSegments<BufferGeometry, ShaderMaterial>;
    step: number;
    private readonly planar: boolean;
    private middle = new Vector3();
    private readonly note = element("div", "grid-note");

    constructor(
        private readonly scene: Scene,
        private readonly box: Box3,
        holder: HTMLElement,
    ) {
        this.planar = scene.dimension === 2;
        const size = Math.max(...box.getSize(new Vector3()).toArray(), 1e-9);
        this.step = roundDown(size / 5);
        const material = new ShaderMaterial({
            uniforms: { color: { value: new Color() }, middle: { value: this.middle }, reach: { value: 1 } },
            vertexShader: `varying vec3 place;
                void main() { place = position; gl_Position = projectionMatrix * viewMatrix * vec4(position, 1.0); }`,
            fragmentShader: `uniform vec3 color; uniform vec3 middle; uniform float reach; varying vec3 place;
                void main() {
                    float a = 1.0 - smoothstep(0.35, 1.0, distance(place, middle) / reach);
                    gl_FragColor = vec4(color, 0.55 * a);
                }`,
            transparent: true,
            depthWrite: false,
        });
        this.object = new LineSegments(new BufferGeometry(), material);
        this.object.frustumCulled = false;
        this.object.renderOrder = -1;
        this.middle.copy(box.getCenter(new Vector3()));
        this.rebuild();
        holder.append(this.note);
    }

    show(visible: boolean): void {
        this.object.visible = visible;
        this.note.hidden = !visible;
    }

    paint(hex: string): void {
        (this.object.material.uniforms["color"].value as Color).setStyle(hex, "srgb-linear");
    }

    /** The grid goes along with the view: its step in planar scenes, its middle in all. */
    update(cameras: Cameras): void {
        const target = cameras.controls.target;
        const wanted = this.planar ? roundDown(cameras.viewHeight / 6) : this.step;
        const moved = this.middle.distanceTo(this.onPlane(target)) > 4 * this.step;
        if (wanted !== this.step || moved) {
            this.step = wanted;
            this.middle.copy(this.onPlane(target));
            this.rebuild();
        }
    }

    /** Height of the plane: 0, or below what hangs lower. */
    get height(): number {
        const up = new Vector3(...this.scene.up).normalize();
        const lowest = [this.box.min, this.box.max].map((corner) => corner.dot(up));
        const low = Math.min(...lowest);
        return low >= -0.25 * this.step ? 0 : Math.floor(low / this.step) * this.step;
    }

    private onPlane(point: Vector3): Vector3 {
        if (this.planar) {
            return new Vector3(point.x, point.y, 0);
        }
        const up = new Vector3(...this.scene.up).normalize();
        return point.clone().addScaledVector(up, this.height - point.dot(up));
    }

    private rebuild(): void {
        this.note.textContent = `grid ${formatNumber(this.step)} m`;
        const up = this.planar ? new Vector3(0, 0, 1) : new Vector3(...this.scene.up).normalize();
        const help = Math.abs(up.x) > 0.9 ? new Vector3(0, 1, 0) : new Vector3(1, 0, 0);
        const right = help.addScaledVector(up, -help.dot(up)).normalize();
        const ahead = new Vector3().crossVectors(up, right);
        const { step } = this;
        const n = this.planar ? 2 * half : half;
        const centre = this.onPlane(this.middle);
        this.middle.copy(centre);
        const u0 = Math.round(centre.dot(right) / step);
        const v0 = Math.round(centre.dot(ahead) / step);
        const level = this.planar ? -0.5 * this.scene.size : this.height;
        const points: number[] = [];
        const put = (u: number, v: number) => {
            const p = up.clone().multiplyScalar(level);
            p.addScaledVector(right, u * step).addScaledVector(ahead, v * step);
            points.push(p.x, p.y, p.z);
        };
        for (let i = -n; i <= n; i++) {
            for (let j = -n; j < n; j += n) {
                put(u0 + i, v0 + j);
                put(u0 + i, v0 + j + n);
                put(u0 + j, v0 + i);
                put(u0 + j + n, v0 + i);
            }
        }
        this.object.geometry.dispose();
        this.object.geometry = new BufferGeometry();
        this.object.geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
        this.object.material.uniforms["reach"].value = this.planar ? 1e9 : n * step * 0.75;
    }
}
