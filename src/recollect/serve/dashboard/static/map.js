// The map of memories: points on one canvas, coloured, zoomed and asked about.

const canvas = document.getElementById("map");
const state = document.getElementById("state");
if (canvas) start();

async function start() {
  const answer = await fetch(canvas.dataset.points);
  if (!answer.ok) {
    state.textContent = `The map could not be loaded (${answer.status}).`;
    return;
  }
  draw(await answer.json());
}

async function tags(ids) {
  const answer = await fetch(canvas.dataset.tags);
  const found = answer.ok ? await answer.json() : {};
  const counts = new Map();
  for (const id of ids) counts.set(found[id] ?? "", (counts.get(found[id] ?? "") ?? 0) + 1);
  const names = [...counts.keys()].sort((one, other) => counts.get(other) - counts.get(one));
  const codes = new Map(names.map((name, number) => [name, number]));
  return { names, codes: ids.map((id) => codes.get(found[id] ?? "")) };
}

function draw(points) {
  const { ids, x, y } = points;
  const pen = canvas.getContext("2d");
  const colour = document.getElementById("colour");
  const place = new Map(ids.map((id, number) => [id, number]));
  let view, chosen = -1, edges = [], asked = false;

  const reset = () => { view = { scale: 1, x: 5000, y: 5000 }; };
  const size = () => [canvas.clientWidth, canvas.clientHeight];
  const unit = () => { const [w, h] = size(); return { x: (view.scale * (w - 40)) / 10000, y: (view.scale * (h - 40)) / 10000 }; };
  const seen = (number) => {
    const [[w, h], by] = [size(), unit()];
    return [w / 2 + (x[number] - view.x) * by.x, h / 2 - (y[number] - view.y) * by.y];
  };

  // Which points have which of the twelve colours; what comes after them has the last.
  const sorted = new Map();
  function inked() {
    if (!sorted.has(colour.value)) {
      const found = Array.from({ length: 12 }, () => []);
      points[colour.value].codes.forEach((code, number) => found[Math.min(code, 11)].push(number));
      sorted.set(colour.value, found);
    }
    return sorted.get(colour.value);
  }

  function paint() {
    asked = false;
    const [w, h] = size();
    const ratio = window.devicePixelRatio || 1;
    if (canvas.width !== Math.round(w * ratio)) { canvas.width = Math.round(w * ratio); canvas.height = Math.round(h * ratio); }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, w, h);
    const style = getComputedStyle(document.documentElement);
    const inks = Array.from({ length: 12 }, (_, number) => style.getPropertyValue(`--c${number}`).trim());
    const by = unit();
    const [left, top] = [w / 2 - view.x * by.x, h / 2 + view.y * by.y];
    const half = Math.min(1.4 + view.scale * 0.5, 5);
    pen.globalAlpha = ids.length > 3000 && view.scale < 3 ? 0.55 : 0.85;
    // One colour at a time: changing it is what costs.
    inked().forEach((numbers, ink) => {
      pen.fillStyle = inks[ink];
      for (const number of numbers) {
        const px = left + x[number] * by.x, py = top - y[number] * by.y;
        if (px > -9 && py > -9 && px < w + 9 && py < h + 9) pen.fillRect(px - half, py - half, 2 * half, 2 * half);
      }
    });
    pen.globalAlpha = 1;
    if (chosen < 0) return;
    const [cx, cy] = seen(chosen);
    const ink = style.getPropertyValue("--ink").trim();
    pen.strokeStyle = ink;
    for (const { other } of edges) {
      if (!place.has(other)) continue;
      const [ox, oy] = seen(place.get(other));
      pen.lineWidth = 1;
      pen.beginPath(); pen.moveTo(cx, cy); pen.lineTo(ox, oy); pen.stroke();
      pen.beginPath(); pen.arc(ox, oy, half + 2, 0, 7); pen.stroke();
    }
    pen.lineWidth = 2;
    pen.beginPath(); pen.arc(cx, cy, half + 5, 0, 7); pen.stroke();
  }
  const soon = () => { if (!asked) { asked = true; requestAnimationFrame(paint); } };

  function legend() {
    const { names } = points[colour.value];
    document.getElementById("legend").replaceChildren(...names.slice(0, 12).map((name, number) => {
      const item = document.createElement("li");
      item.innerHTML = `<svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true"><rect class="fill-${number}" width="10" height="10" rx="3"/></svg>`;
      item.append(number === 11 && names.length > 12 ? "others" : name || "none");
      return item;
    }));
  }

  function nearest(px, py, within) {
    let best = -1, least = within * within;
    for (let number = 0; number < ids.length; number++) {
      const [sx, sy] = seen(number);
      const distance = (sx - px) ** 2 + (sy - py) ** 2;
      if (distance < least) [best, least] = [number, distance];
    }
    return best;
  }

  async function choose(number) {
    chosen = number; edges = [];
    soon();
    const answer = await fetch(canvas.dataset.around + encodeURIComponent(ids[number]));
    if (!answer.ok || chosen !== number) return;
    const told = await answer.json();
    edges = told.edges;
    const aside = document.getElementById("one");
    const line = (tag, text, kind) => Object.assign(document.createElement(tag), { textContent: text, className: kind || "" });
    const link = Object.assign(line("a", "Open it", "button"), { href: canvas.dataset.memory + encodeURIComponent(told.id) });
    const labels = line("p", "", "badges");
    labels.append(...[told.kind, told.channel, ...told.tags].map((one) => line("span", one, "badge")));
    aside.replaceChildren(line("p", told.text), line("p", told.holds, "about"), labels,
      line("p", edges.length ? `related to ${edges.length}: ${[...new Set(edges.map((one) => one.type.replaceAll("_", " ")))].join(", ")}` : "no relations", "faint"), link);
    soon();
  }

  function zoom(by, px, py) {
    const [[w, h], before] = [size(), unit()];
    const scale = Math.min(Math.max(view.scale * by, 0.8), 200);
    const grown = scale / view.scale;
    const [dx, dy] = [(px ?? w / 2) - w / 2, (py ?? h / 2) - h / 2];
    view = { scale, x: view.x + (dx / before.x) * (1 - 1 / grown), y: view.y - (dy / before.y) * (1 - 1 / grown) };
    soon();
  }
  const move = (dx, dy) => { const by = unit(); view.x -= dx / by.x; view.y += dy / by.y; soon(); };

  let from = null, moved = 0;
  canvas.addEventListener("pointerdown", (event) => { from = [event.offsetX, event.offsetY]; moved = 0; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointermove", (event) => {
    if (!from) return;
    const [dx, dy] = [event.offsetX - from[0], event.offsetY - from[1]];
    moved += Math.abs(dx) + Math.abs(dy);
    from = [event.offsetX, event.offsetY];
    move(dx, dy);
  });
  canvas.addEventListener("pointerup", (event) => {
    const found = from && moved < 5 ? nearest(event.offsetX, event.offsetY, 12) : -1;
    from = null;
    if (found >= 0) choose(found);
  });
  canvas.addEventListener("wheel", (event) => { event.preventDefault(); zoom(2 ** (-event.deltaY / 300), event.offsetX, event.offsetY); }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const [w, h] = size();
    const keys = {
      ArrowLeft: () => move(w / 10, 0), ArrowRight: () => move(-w / 10, 0),
      ArrowUp: () => move(0, h / 10), ArrowDown: () => move(0, -h / 10),
      "+": () => zoom(1.4), "=": () => zoom(1.4), "-": () => zoom(1 / 1.4),
      Enter: () => { const found = nearest(w / 2, h / 2, 1e6); if (found >= 0) choose(found); },
    };
    if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
  });
  document.getElementById("in").addEventListener("click", () => zoom(1.6));
  document.getElementById("out").addEventListener("click", () => zoom(1 / 1.6));
  document.getElementById("all").addEventListener("click", () => { reset(); soon(); });
  colour.addEventListener("change", async () => {
    if (!points[colour.value]) points[colour.value] = await tags(ids);
    legend(); soon();
  });
  document.addEventListener("theme", soon);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", soon);
  new ResizeObserver(soon).observe(canvas);
  reset(); legend(); paint();
  state.textContent = `${ids.length.toLocaleString("en")} memories`;
}
