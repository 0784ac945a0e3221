// Draws the scenes of a page with WebGL 2: turn, move and zoom by mouse and touch, cuts, a clip plane, and the value
// under the pointer. Without WebGL 2 the elements of the scenes stay hidden.

const vertexShader = `#version 300 es
uniform mat4 view;
uniform vec3 middle;
uniform float size;
layout(location = 0) in vec3 place;
layout(location = 1) in float value;
layout(location = 2) in vec4 colour;
out vec3 at;
out vec3 world;
flat out float shade;
flat out vec3 own;
void main() {
  at = (place - middle) / size;
  world = place;
  shade = value;
  own = colour.rgb;
  gl_Position = view * vec4(at, 1.0);
}`;
// kind 0: surface, 1: cut, 2: lines. A clip plane takes surfaces and lines away, not cuts.
const fragmentShader = `#version 300 es
precision highp float;
uniform int kind;
uniform bool hasValues;
uniform vec3 eye;
uniform vec4 clip;
uniform sampler2D map;
in vec3 at;
in vec3 world;
flat in float shade;
flat in vec3 own;
out vec4 result;
void main() {
  if (kind != 1 && dot(clip.xyz, world) > clip.w) discard;
  vec3 colour = own;
  if (kind != 2 && hasValues)
    colour = shade > 0.5 ? texture(map, vec2((shade - 0.5) / 254.0, 0.5)).rgb : mix(own, vec3(0.5), 0.6);
  if (kind == 0) {
    vec3 normal = normalize(cross(dFdx(at), dFdy(at)));
    colour *= 0.45 + 0.55 * abs(dot(normal, normalize(eye - at)));
  }
  result = vec4(colour, 1.0);
}`;

function makeProgram(gl) {
  const program = gl.createProgram();
  for (const [type, text] of [[gl.VERTEX_SHADER, vertexShader], [gl.FRAGMENT_SHADER, fragmentShader]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  return program;
}

function makeElement(parent, name, properties = {}) {
  const element = Object.assign(document.createElement(name), properties);
  parent.append(element);
  return element;
}

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

class SceneView {
  constructor(element, scene) {
    this.scene = scene;
    this.canvas = makeElement(element, "canvas", { tabIndex: 0 });
    element.insertBefore(this.canvas, element.querySelector("p"));
    this.gl = this.canvas.getContext("webgl2", { antialias: true });
    if (!this.gl) throw new Error("no WebGL 2");
    this.program = makeProgram(this.gl);
    this.place = (name) => this.gl.getUniformLocation(this.program, name);
    // At first the voxels fill the picture, which are around what is shown.
    const ends = (axis) => scene.volume ? [scene.volume.nodes[axis][0], scene.volume.nodes[axis].at(-1)]
      : [scene.low[axis], scene.high[axis]];
    const box = [0, 1, 2].map(ends), lengths = box.map(([low, high]) => high - low);
    this.middle = box.map(([low, high]) => 0.5 * (low + high));
    this.size = Math.max(...lengths) || 1;
    this.turn = { right: -0.9, up: 0.45 }; // rad
    this.away = (1.25 * Math.hypot(...lengths)) / this.size; // of the eye from the target, in sizes
    this.target = [0, 0, 0];
    this.reach = Math.hypot(...[0, 1, 2].map((a) => scene.high[a] - scene.low[a])) / this.size;
    this.quantity = scene.quantities.length > 0 ? 0 : -1;
    // Where no body is to be seen at first, the cuts are if they have values; else the first body, unless there are lines.
    const isEmpty = !scene.surfaces.some((s) => scene.materials[s.material].shown) &&
      !(scene.volume && scene.volume.surfaces && scene.materials.some((m) => m.surface && m.shown));
    const hasValues = scene.volume !== null && scene.quantities.length > 0;
    if (isEmpty && !hasValues && scene.surfaces.length > 0 && !scene.lines.some((l) => l.shown))
      scene.materials[scene.surfaces[0].material].shown = true;
    this.cuts = [0, 1, 2].map((a) => ({ shown: isEmpty && hasValues, at: this.middle[a] }));
    this.clip = { axis: -1, sign: 1, at: 0 };
    this.objects = []; // { vertices, kind, shown(), buffer }
    this.note = makeElement(element, "output");
    element.insertBefore(this.note, element.querySelector("p"));
    this.controls = makeElement(element, "fieldset");
    element.insertBefore(this.controls, element.querySelector("p"));
    addControls(this);
    this.rebuild();
    followPointer(this);
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  // All vertices, after a change of the quantity.
  rebuild() {
    for (const object of this.objects) this.gl.deleteBuffer(object.buffer);
    const scene = this.scene, q = this.quantity;
    this.objects = [];
    const add = (vertices, kind, shown) => this.objects.push({ vertices, kind, shown, buffer: this.filled(vertices) });
    for (const s of scene.surfaces)
      add(surfaceVertices(scene, s, q), 0, () => scene.materials[s.material].shown);
    if (scene.volume && scene.volume.surfaces)
      voxelSurfaces(scene, q).forEach((vertices, m) => vertices && add(vertices, 0, () => scene.materials[m].shown));
    for (const line of scene.lines) add(lineVertices(line), 2, () => line.shown);
    this.map = this.mapTexture();
    this.cuts.forEach((cut) => (cut.object = null));
    this.moveCuts();
  }

  moveCuts() {
    this.cuts.forEach((cut, axis) => {
      if (cut.object) {
        this.gl.deleteBuffer(cut.object.buffer);
        this.objects.splice(this.objects.indexOf(cut.object), 1);
        cut.object = null;
      }
      if (!cut.shown || !this.scene.volume) return;
      const vertices = cutVertices(this.scene, axis, cut.at, this.quantity);
      cut.object = { vertices, kind: 1, shown: () => true, buffer: this.filled(vertices) };
      this.objects.push(cut.object);
    });
    this.draw();
  }

  filled(vertices) {
    const gl = this.gl, buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Uint8Array(vertices.buffer, 0, vertices.count * vertexBytes), gl.STATIC_DRAW);
    return buffer;
  }

  mapTexture() {
    const gl = this.gl, quantity = this.scene.quantities[this.quantity];
    const texels = quantity ? quantity.map.flatMap((text) => [...colourOf(text), 255]) : [0, 0, 0, 255];
    const texture = this.map || gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, texels.length / 4, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(texels));
    for (const name of ["MIN_FILTER", "MAG_FILTER"]) gl.texParameteri(gl.TEXTURE_2D, gl[`TEXTURE_${name}`], gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    return texture;
  }

  // Unit vectors of the camera and its place, in sizes from the middle.
  camera() {
    const { right, up } = this.turn;
    const back = [Math.cos(up) * Math.cos(right), Math.cos(up) * Math.sin(right), Math.sin(up)];
    const x = [-Math.sin(right), Math.cos(right), 0], y = cross(back, x);
    return { x, y, back, eye: [0, 1, 2].map((a) => this.target[a] + this.away * back[a]) };
  }

  draw() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.drawNow();
    });
  }

  drawNow() {
    const gl = this.gl, canvas = this.canvas, sharp = Math.min(devicePixelRatio || 1, 2);
    canvas.width = Math.max(1, Math.round(canvas.clientWidth * sharp));
    canvas.height = Math.max(1, Math.round(canvas.clientHeight * sharp));
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.useProgram(this.program);
    const { x, y, back, eye } = this.camera();
    const near = this.away / 50, far = this.away + 2 * this.reach, zoom = 1.8, wide = canvas.height / canvas.width;
    const depth = (far + near) / (near - far), shift = (2 * far * near) / (near - far);
    const rows = [[...x, -dot(x, eye)], [...y, -dot(y, eye)], [...back, -dot(back, eye)]];
    const matrix = [];
    for (let c = 0; c < 4; ++c)
      matrix.push(zoom * Math.min(wide, 1) * rows[0][c], zoom * Math.min(1 / wide, 1) * rows[1][c],
        depth * rows[2][c] + (c === 3 ? shift : 0), -rows[2][c]);
    gl.uniformMatrix4fv(this.place("view"), false, matrix);
    gl.uniform3fv(this.place("middle"), this.middle);
    gl.uniform1f(this.place("size"), this.size);
    gl.uniform3fv(this.place("eye"), eye);
    gl.uniform1i(this.place("hasValues"), this.quantity >= 0 ? 1 : 0);
    gl.uniform4fv(this.place("clip"), this.clipPlane());
    gl.bindTexture(gl.TEXTURE_2D, this.map);
    for (const object of this.objects) {
      if (!object.shown()) continue;
      gl.bindBuffer(gl.ARRAY_BUFFER, object.buffer);
      for (const i of [0, 1, 2]) gl.enableVertexAttribArray(i);
      gl.vertexAttribPointer(0, 3, gl.FLOAT, false, vertexBytes, 0);
      gl.vertexAttribPointer(1, 1, gl.FLOAT, false, vertexBytes, 12);
      gl.vertexAttribPointer(2, 4, gl.UNSIGNED_BYTE, true, vertexBytes, 16);
      gl.uniform1i(this.place("kind"), object.kind);
      gl.drawArrays(object.kind === 2 ? gl.LINES : gl.TRIANGLES, 0, object.vertices.count);
    }
  }

  // normal x <= w is kept, m.
  clipPlane() {
    const { axis, sign, at } = this.clip, plane = [0, 0, 0, 1e30];
    if (axis >= 0) (plane[axis] = sign), (plane[3] = sign * at);
    return plane;
  }

  // Object and value under a point of the canvas (pixels of the page).
  hitAt(px, py) {
    const { x, y, back, eye } = this.camera();
    const w = this.canvas.clientWidth, h = this.canvas.clientHeight, wide = h / w, zoom = 1.8;
    const right = ((2 * px) / w - 1) / (zoom * Math.min(wide, 1)), up = (1 - (2 * py) / h) / (zoom * Math.min(1 / wide, 1));
    const direction = [0, 1, 2].map((a) => right * x[a] + up * y[a] - back[a]);
    const origin = eye.map((e, a) => this.middle[a] + e * this.size), clip = this.clipPlane();
    let best = null;
    for (const object of this.objects) {
      if (object.kind === 2 || !object.shown()) continue;
      const keeps = (p) => object.kind === 1 || dot(clip, p) <= clip[3];
      const hit = nearestHit(object.vertices, origin, direction, keeps);
      if (hit && (!best || hit.distance < best.distance)) best = hit;
    }
    return best;
  }

  showHit(hit) {
    const { unit, materials, quantities } = this.scene;
    if (!hit) return void (this.note.textContent = "\u00a0");
    const value = this.quantity >= 0 ? valueText(quantities[this.quantity], hit.value) : "";
    const place = hit.place.map((p) => Number((p / unit.size).toPrecision(4))).join(", ");
    this.note.textContent = `${materials[hit.material].name}${value ? ": " + value : ""} at (${place}) ${unit.name}`;
  }
}
