// Triangles and lines of a scene as vertices: place (3 floats), value (1 float: the 8-bit value, 0: none), colour (4
// bytes). Triangles of voxels are two per face between two materials.

const vertexBytes = 20;

class Vertices {
  constructor(count) {
    this.buffer = new ArrayBuffer(count * vertexBytes);
    this.floats = new Float32Array(this.buffer);
    this.bytes = new Uint8Array(this.buffer);
    this.count = 0;
    this.materials = []; // of ranges of vertices: [end, material], for the text under the pointer
  }
  add(x, y, z, value, rgb) {
    const f = this.count * 5;
    this.floats[f] = x;
    this.floats[f + 1] = y;
    this.floats[f + 2] = z;
    this.floats[f + 3] = value;
    this.bytes.set(rgb, this.count * vertexBytes + 16);
    this.bytes[this.count * vertexBytes + 19] = 255;
    ++this.count;
  }
  // The rectangle at `at` along an axis, between low and high along the two others.
  addRectangle(axis, at, low, high, value, rgb) {
    const u = (axis + 1) % 3, v = (axis + 2) % 3, p = [0, 0, 0];
    for (const [right, up] of [[0, 0], [1, 0], [1, 1], [0, 0], [1, 1], [0, 1]]) {
      p[axis] = at;
      p[u] = right ? high[0] : low[0];
      p[v] = up ? high[1] : low[1];
      this.add(p[0], p[1], p[2], value, rgb);
    }
  }
}

function surfaceVertices(scene, surface, quantity) {
  const rgb = scene.materials[surface.material].rgb, values = surface.values[quantity];
  const result = new Vertices(3 * surface.triangles);
  for (let i = 0; i < 3 * surface.triangles; ++i) {
    const p = 3 * surface.corners[i];
    result.add(surface.places[p], surface.places[p + 1], surface.places[p + 2],
      values ? values[Math.floor(i / 3)] : 0, rgb);
  }
  result.materials.push([result.count, surface.material]);
  return result;
}

// Surfaces of all materials of voxels: [materials], of those that have one.
function voxelSurfaces(scene, quantity) {
  const volume = scene.volume, [nx, ny, nz] = volume.counts, steps = [1, nx, nx * ny];
  const has = (m) => m !== nothing && scene.materials[m].surface;
  const visit = (take) => {
    for (let k = 0; k < nz; ++k)
      for (let j = 0; j < ny; ++j)
        for (let i = 0; i < nx; ++i) {
          const cell = [i, j, k], n = i + nx * (j + ny * k), m = volume.material[n];
          for (let a = 0; a < 3; ++a) {
            const next = cell[a] + 1 < volume.counts[a] ? volume.material[n + steps[a]] : nothing;
            if (next !== m) {
              if (has(m)) take(a, cell, 1, n, m);
              if (has(next)) take(a, cell, 1, n + steps[a], next);
            }
            if (cell[a] === 0 && has(m)) take(a, cell, 0, n, m);
          }
        }
  };
  const faces = scene.materials.map(() => 0);
  visit((a, cell, side, n, m) => ++faces[m]);
  const result = faces.map((count) => (count > 0 ? new Vertices(6 * count) : null));
  const values = volume.values[quantity], x = volume.nodes;
  visit((a, cell, side, n, m) => {
    const u = (a + 1) % 3, v = (a + 2) % 3;
    result[m].addRectangle(a, x[a][cell[a] + side], [x[u][cell[u]], x[v][cell[v]]],
      [x[u][cell[u] + 1], x[v][cell[v] + 1]], values ? values[n] : 0, scene.materials[m].rgb);
  });
  result.forEach((vertices, m) => vertices && vertices.materials.push([vertices.count, m]));
  return result;
}

// The voxels that a plane normal to an axis cuts.
function cutVertices(scene, axis, at, quantity) {
  const volume = scene.volume, x = volume.nodes, counts = volume.counts;
  const u = (axis + 1) % 3, v = (axis + 2) % 3, steps = [1, counts[0], counts[0] * counts[1]];
  let layer = 0;
  while (layer + 1 < counts[axis] && x[axis][layer + 1] <= at) ++layer;
  const values = volume.values[quantity];
  const result = new Vertices(6 * counts[u] * counts[v]);
  for (let j = 0; j < counts[v]; ++j)
    for (let i = 0; i < counts[u]; ++i) {
      const n = layer * steps[axis] + i * steps[u] + j * steps[v], m = volume.material[n];
      const value = values ? values[n] : 0;
      if (m === nothing || (value === 0 && !scene.materials[m].surface)) continue;
      result.addRectangle(axis, at, [x[u][i], x[v][j]], [x[u][i + 1], x[v][j + 1]], value, scene.materials[m].rgb);
      result.materials.push([result.count, m]);
    }
  return result;
}

function lineVertices(line) {
  const result = new Vertices(line.places.length / 3);
  for (let i = 0; i < line.places.length; i += 3)
    result.add(line.places[i], line.places[i + 1], line.places[i + 2], 0, line.rgb);
  return result;
}

// Distance along a ray to the nearest triangle that `keeps` accepts, with its place, value and material; null: none.
function nearestHit(vertices, origin, direction, keeps) {
  const f = vertices.floats, [ox, oy, oz] = origin, [dx, dy, dz] = direction;
  let best = null;
  for (let i = 0; i + 2 < vertices.count; i += 3) { // T. Moeller, B. Trumbore (1997)
    const a = i * 5, ax = f[a], ay = f[a + 1], az = f[a + 2];
    const ux = f[a + 5] - ax, uy = f[a + 6] - ay, uz = f[a + 7] - az;
    const vx = f[a + 10] - ax, vy = f[a + 11] - ay, vz = f[a + 12] - az;
    const px = dy * vz - dz * vy, py = dz * vx - dx * vz, pz = dx * vy - dy * vx;
    const determinant = ux * px + uy * py + uz * pz;
    if (determinant === 0) continue;
    const tx = ox - ax, ty = oy - ay, tz = oz - az;
    const s = (tx * px + ty * py + tz * pz) / determinant;
    if (s < 0 || s > 1) continue;
    const qx = ty * uz - tz * uy, qy = tz * ux - tx * uz, qz = tx * uy - ty * ux;
    const t = (dx * qx + dy * qy + dz * qz) / determinant;
    if (t < 0 || s + t > 1) continue;
    const distance = (vx * qx + vy * qy + vz * qz) / determinant;
    if (distance <= 0 || (best && distance >= best.distance)) continue;
    const place = [ox + distance * dx, oy + distance * dy, oz + distance * dz];
    if (!keeps(place)) continue;
    best = { distance, place, value: f[a + 3], vertex: i };
  }
  if (best) best.material = vertices.materials.find(([end]) => best.vertex < end)[1];
  return best;
}
