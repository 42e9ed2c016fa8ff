// ribbon.ts - a path as a ribbon of constant width on the screen: what has passed is strong,
// what is to come faint. Each segment is four corners that know both of its ends.
// SPDX-License-Identifier: BSD-3-Clause
import { BufferAttribute, BufferGeometry, Color, DoubleSide, Mesh, ShaderMaterial, Vector2 } from "three";

const vertexShader = `
attribute vec3 other;
attribute vec2 side;
uniform vec2 pixel;
uniform float passed;
varying float strength;
void main() {
    mat4 camera = projectionMatrix * viewMatrix;
    vec4 here = camera * vec4(position, 1.0);
    vec4 there = camera * vec4(other, 1.0);
    vec2 along = (there.xy / there.w - here.xy / here.w) / pixel;
    float size = max(length(along), 1e-6);
    bool late = side.y >= passed;
    strength = late ? 0.4 : 1.0;
    vec2 across = vec2(-along.y, along.x) / size * side.x * (late ? 0.7 : 1.25);
    here.xy += across * pixel * here.w;
    gl_Position = here.w > 0.0 && there.w > 0.0 ? here : vec4(2.0, 2.0, 2.0, 1.0);
}`;

const fragmentShader = `
uniform vec3 color;
varying float strength;
void main() {
    gl_FragColor = vec4(color, strength);
}`;

/** Size of a pixel of the page in the camera's coordinates: 2 / width, 2 / height. */
export interface PixelSize {
    value: Vector2;
}

export class Ribbon {
    readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;
    private readonly segments: number;

    /** `points` are x, y, z of at least two points. */
    constructor(points: number[], color: string, pixel: PixelSize) {
        this.segments = points.length / 3 - 1;
        const position: number[] = [];
        const other: number[] = [];
        const side: number[] = [];
        const triangles: number[] = [];
        for (let i = 0; i < this.segments; i++) {
            const from = points.slice(3 * i, 3 * i + 3);
            const to = points.slice(3 * i + 3, 3 * i + 6);
            // Seen from the other end left and right change places.
            position.push(...from, ...from, ...to, ...to);
            other.push(...to, ...to, ...from, ...from);
            side.push(-1, i, 1, i, 1, i, -1, i);
            const first = 4 * i;
            triangles.push(first, first + 1, first + 2, first + 1, first + 3, first + 2);
        }
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(new Float32Array(position), 3));
        geometry.setAttribute("other", new BufferAttribute(new Float32Array(other), 3));
        geometry.setAttribute("side", new BufferAttribute(new Float32Array(side), 2));
        geometry.setIndex(triangles);
        const material = new ShaderMaterial({
            uniforms: {
                pixel,
                passed: { value: 0 },
                color: { value: new Color().setStyle(color, "srgb-linear") },
            },
            vertexShader,
            fragmentShader,
            transparent: true,
            side: DoubleSide,
        });
        this.mesh = new Mesh(geometry, material);
        this.mesh.frustumCulled = false;
    }

    /** Part of the path, from 0 to 1, that has passed. */
    setPassed(part: number): void {
        this.mesh.material.uniforms["passed"].value = Math.round(part * this.segments);
    }

    dispose(): void {
        this.mesh.geometry.dispose();
        this.mesh.material.dispose();
    }
}
