// From the text of a scene (src/io/report_scene.cpp writes it) to arrays. Places are 16-bit parts of the box of the
// scene, values 8-bit parts of their scale: 0 is no value, 1 to 254 are the scale from its lowest to its highest end.

const nothing = 255; // material of a voxel without one

async function inflated(base64) {
  const packed = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

// Red, green and blue of "#rrggbb", 0 to 255.
const colourOf = (text) => [1, 3, 5].map((at) => parseInt(text.substr(at, 2), 16));

async function readScene(text) {
  const scene = JSON.parse(text);
  const bytes = await inflated(scene.data);
  let at = 0;
  const take = (type, count) => {
    const from = at;
    at += count * type.BYTES_PER_ELEMENT;
    return new type(bytes.slice(from, at));
  };
  const metres = (places) => {
    const result = new Float32Array(places.length);
    for (let i = 0; i < places.length; ++i) {
      const a = i % 3;
      result[i] = scene.low[a] + (places[i] / 65535) * (scene.high[a] - scene.low[a]);
    }
    return result;
  };
  const values = (quantities, count) => Array.from({ length: quantities }, () => take(Uint8Array, count));
  for (const material of scene.materials) material.rgb = colourOf(material.colour);
  for (const surface of scene.surfaces) {
    surface.places = metres(take(Uint16Array, 3 * surface.points));
    surface.corners = take(Uint32Array, 3 * surface.triangles);
    surface.values = values(surface.quantities, surface.triangles);
  }
  for (const line of scene.lines) {
    line.places = metres(line.places);
    line.rgb = colourOf(line.colour);
  }
  const volume = scene.volume;
  if (volume) {
    volume.counts = volume.nodes.map((nodes) => nodes.length - 1);
    const count = volume.counts[0] * volume.counts[1] * volume.counts[2];
    volume.material = take(Uint8Array, count);
    volume.values = values(volume.quantities, count);
  }
  return scene;
}

// "12.3 W/kg" of an 8-bit value.
function valueText(quantity, byte) {
  if (byte === 0) return "";
  const place = (byte - 1) / 253;
  const value = quantity.log
    ? quantity.lowest * Math.pow(quantity.highest / quantity.lowest, place)
    : quantity.lowest + place * (quantity.highest - quantity.lowest);
  return `${byte === 1 ? "at most " : ""}${value.toPrecision(3)} ${quantity.unit}`;
}
