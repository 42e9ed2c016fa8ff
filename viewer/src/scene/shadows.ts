// shadows.ts - what is solid throws a shadow straight down onto the plane of the grid.
//
// The lists of triangles are drawn a second time, flat on the plane, in one colour that only darkens (the
// lesser of what is there and the shadow): where triangles overlap, the shadow is no darker.
// SPDX-License-Identifier: BSD-3-Clause
import {
    Color, CustomBlending, DoubleSide, Group, Mesh, MinEquation, OneFactor, ShaderMaterial, Vector3,
} from "three";

export class Shadows {
    readonly object = new Group();
    private readonly material: ShaderMaterial;

    constructor(meshes: Mesh[], up: Vector3, height: number) {
        this.material = new ShaderMaterial({
            uniforms: { color: { value: new Color() }, up: { value: up }, height: { value: height } },
            vertexShader: `uniform vec3 up; uniform float height;
                void main() {
                    vec3 flat_ = position + (height - dot(position, up)) * up;
                    gl_Position = projectionMatrix * viewMatrix * vec4(flat_, 1.0);
                }`,
            fragmentShader: `uniform vec3 color; void main() { gl_FragColor = vec4(color, 1.0); }`,
            side: DoubleSide,
            depthTest: false,
            depthWrite: false,
            transparent: false,
            blending: CustomBlending,
            blendEquation: MinEquation,
            blendSrc: OneFactor,
            blendDst: OneFactor,
        });
        for (const mesh of meshes) {
            const shadow = new Mesh(mesh.geometry, this.material);
            shadow.frustumCulled = false;
            // Before all else: solids hide it.
            shadow.renderOrder = -2;
            this.object.add(shadow);
        }
    }

    paint(hex: string): void {
        (this.material.uniforms["color"].value as Color).setStyle(hex, "srgb-linear");
    }
}
