// Controls of a scene: what is drawn, cuts, the clip plane; and the pointer.

function addControls(view) {
  const { scene, controls } = view, unit = scene.unit;
  const group = (title) => {
    const box = makeElement(controls, "div");
    makeElement(box, "b", { textContent: title });
    return box;
  };
  const check = (parent, text, checked, change, colour) => {
    const label = makeElement(parent, "label");
    const input = makeElement(label, "input", { type: "checkbox", checked });
    if (colour) makeElement(label, "i").style.background = colour;
    label.append(text);
    input.addEventListener("change", () => (change(input.checked), view.draw()));
    return input;
  };
  const slide = (parent, axis, at, change) => {
    const low = scene.volume ? scene.volume.nodes[axis][0] : scene.low[axis];
    const high = scene.volume ? scene.volume.nodes[axis].at(-1) : scene.high[axis];
    const input = makeElement(parent, "input", { type: "range", min: 0, max: 1000 });
    input.value = (1000 * (at - low)) / (high - low || 1);
    const text = makeElement(parent, "small");
    const apply = () => {
      const position = low + (input.value / 1000) * (high - low);
      const shown = Math.abs(position) < 1e-6 * (high - low) ? 0 : position;
      text.textContent = `${Number((shown / unit.size).toPrecision(3))} ${unit.name}`;
      change(position);
    };
    input.addEventListener("input", apply);
    apply();
    return input;
  };

  if (scene.quantities.length > 0) {
    const box = group("Colour");
    const choice = makeElement(box, "select", { ariaLabel: "colour by" });
    scene.quantities.forEach((q, i) => makeElement(choice, "option", { value: i, textContent: q.title }));
    makeElement(choice, "option", { value: -1, textContent: "material" });
    const bar = makeElement(box, "span", { className: "map" });
    const showBar = () => {
      const q = scene.quantities[view.quantity];
      bar.textContent = "";
      if (!q) return;
      makeElement(bar, "small", { textContent: q.lowest.toPrecision(2) });
      makeElement(bar, "i").style.background = `linear-gradient(to right, ${q.map.join(", ")})`;
      makeElement(bar, "small", { textContent: `${q.highest.toPrecision(3)} ${q.unit}${q.log ? ", logarithmic" : ""}` });
    };
    choice.addEventListener("change", () => ((view.quantity = Number(choice.value)), showBar(), view.rebuild()));
    showBar();
  }
  const drawn = scene.materials.map((m, i) => m.surface && ((scene.volume && scene.volume.surfaces &&
    scene.volume.material.includes(i)) || scene.surfaces.some((s) => s.material === i)));
  if (drawn.includes(true)) {
    const box = group("Materials");
    scene.materials.forEach((m, i) => drawn[i] && check(box, m.name, m.shown, (on) => (m.shown = on), m.colour));
  }
  if (scene.lines.length > 0) {
    const box = group("Lines");
    for (const line of scene.lines) check(box, line.name, line.shown, (on) => (line.shown = on), line.colour);
  }
  if (scene.volume) {
    const box = group("Cuts");
    view.cuts.forEach((cut, axis) => {
      const row = makeElement(box, "span");
      const shown = check(row, "xyz"[axis], cut.shown, (on) => ((cut.shown = on), view.moveCuts()));
      let ready = false;
      slide(row, axis, cut.at, (at) => {
        cut.at = at;
        if (!ready) return;
        cut.shown = shown.checked = true;
        view.moveCuts();
      });
      ready = true;
    });
  }
  const box = group("Clip");
  const side = makeElement(box, "select", { ariaLabel: "clip plane" });
  ["none", "above x", "below x", "above y", "below y", "above z", "below z"].forEach((text, i) =>
    makeElement(side, "option", { value: i - 1, textContent: text }));
  const row = makeElement(box, "span");
  side.addEventListener("change", () => {
    const i = Number(side.value), axis = i < 0 ? -1 : i >> 1;
    view.clip = { axis, sign: i % 2 === 0 ? 1 : -1, at: 0 };
    row.textContent = "";
    if (axis >= 0) slide(row, axis, view.middle[axis], (at) => ((view.clip.at = at), view.draw()));
    view.draw();
  });
}

// One finger or button turns; two fingers, or the right button or shift, move; wheel and two fingers zoom.
function followPointer(view) {
  const canvas = view.canvas, down = new Map();
  const zoom = (factor) => ((view.away = Math.min(20, Math.max(0.05, view.away * factor))), view.draw());
  const move = (dx, dy) => {
    const { x, y } = view.camera(), scale = (1.1 * view.away) / Math.min(canvas.clientWidth, canvas.clientHeight);
    for (let a = 0; a < 3; ++a) view.target[a] += scale * (dy * y[a] - dx * x[a]);
    view.draw();
  };
  const turn = (dx, dy) => {
    view.turn.right -= 0.008 * dx;
    view.turn.up = Math.min(1.57, Math.max(-1.57, view.turn.up + 0.008 * dy));
    view.draw();
  };
  canvas.addEventListener("pointerdown", (e) => {
    down.set(e.pointerId, e);
    canvas.setPointerCapture(e.pointerId);
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (e) => down.delete(e.pointerId));
  let last = null;
  canvas.addEventListener("pointermove", (e) => {
    const before = down.get(e.pointerId);
    if (!before) {
      if (last === null)
        requestAnimationFrame(() => {
          view.showHit(view.hitAt(last.offsetX, last.offsetY));
          last = null;
        });
      last = e;
      return;
    }
    const dx = e.clientX - before.clientX, dy = e.clientY - before.clientY;
    if (down.size === 2) {
      const other = [...down.values()].find((p) => p.pointerId !== e.pointerId);
      const apart = (p) => Math.hypot(p.clientX - other.clientX, p.clientY - other.clientY);
      zoom(apart(before) / Math.max(1, apart(e)));
      move(dx / 2, dy / 2);
    } else if (e.shiftKey || e.buttons & 2) move(dx, dy);
    else turn(dx, dy);
    down.set(e.pointerId, e);
  });
  canvas.addEventListener("contextmenu", (e) => e.preventDefault());
  canvas.addEventListener("wheel", (e) => (e.preventDefault(), zoom(Math.exp(0.001 * e.deltaY))), { passive: false });
  canvas.addEventListener("keydown", (e) => {
    const keys = { ArrowLeft: [-20, 0], ArrowRight: [20, 0], ArrowUp: [0, -20], ArrowDown: [0, 20] };
    if (keys[e.key]) e.preventDefault(), turn(...keys[e.key]);
    if (e.key === "+") zoom(0.85);
    if (e.key === "-") zoom(1.18);
  });
}

for (const element of document.querySelectorAll(".scene"))
  readScene(element.querySelector("script").textContent)
    .then((scene) => {
      const section = element.closest("section.of-scenes") || element;
      element.hidden = section.hidden = false; // before the size of the canvas is used
      try {
        element.view = new SceneView(element, scene);
      } catch (error) {
        element.hidden = section.hidden = true;
        throw error;
      }
    })
    .catch((error) => console.warn("the view in 3-D is left out:", error.message));
