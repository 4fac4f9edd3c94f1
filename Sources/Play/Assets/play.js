"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  let scene = null;
  let down = null;

  const send = async (path, options) => {
    const answer = await fetch(path, options).catch(() => null);
    const text = answer && !answer.ok ? await answer.text() : answer ? "" : "Galley has stopped.";
    $("problem").hidden = !text;
    $("problem").textContent = text;
    return !text;
  };
  const add = (step) => send("steps", { method: "POST", body: step });
  const remove = (index, after) => send(`steps/${index}?after=${after}`, { method: "DELETE" });

  const element = (name, text, kind) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (kind) made.className = kind;
    return made;
  };

  const showSteps = () => {
    $("none").hidden = scene.steps.length > 0;
    $("steps").replaceChildren(...scene.steps.map((step, index) => {
      const item = element("li");
      item.append(element("code", step.text));
      if (step.failure) item.className = "failed"; else if (step.end !== undefined && !scene.isRendering) item.className = "done";
      if (step.end !== undefined) item.append(element("span", `${((step.end - step.start) / 1000).toFixed(2)} s`, "faint"));
      const out = element("button", "×");
      out.setAttribute("aria-label", `Remove step ${index + 1}`);
      out.addEventListener("click", () => remove(index, false));
      item.append(out);
      if (step.failure) {
        const known = step.candidates && step.candidates.length ? ` Existing ids: ${step.candidates.join(", ")}.` : "";
        item.append(element("span", `${step.failure}.${known}`, "why"));
      }
      return item;
    }));
  };

  const showSpots = () => {
    $("spots").replaceChildren(...scene.spots.map((spot) => {
      const mark = element("span");
      mark.title = spot.step;
      mark.style.left = `${spot.frame.x / scene.width * 100}%`;
      mark.style.top = `${spot.frame.y / scene.height * 100}%`;
      mark.style.width = `${spot.frame.width / scene.width * 100}%`;
      mark.style.height = `${spot.frame.height / scene.height * 100}%`;
      return mark;
    }));
  };

  const showLog = () => {
    const steps = scene.steps.filter((step) => step.start !== undefined);
    const since = $("news").checked && steps.length ? steps[steps.length - 1].start : 0;
    const words = $("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
    const lines = scene.log.filter((line) => {
      const text = `${line.source} ${line.name} ${line.detail}`.toLowerCase();
      return line.t >= since && words.every((word) => text.includes(word));
    });
    $("log").replaceChildren(...lines.map((line) => {
      const bad = /error|failure|exception/i.test(line.name) ? " bad" : "";
      const item = element("li", undefined, line.source + bad);
      const what = element("span");
      what.append(element("b", line.name), ` ${line.detail}`);
      item.append(element("span", `${(line.t / 1000).toFixed(3)} s`, "faint"), element("span", line.source, "faint"), what);
      return item;
    }));
    $("log").scrollTop = $("log").scrollHeight;
  };

  const show = () => {
    document.title = `${scene.creative} – Galley`;
    $("creative").textContent = scene.creative;
    $("device").textContent = `${scene.device}, ${scene.width} × ${scene.height}`;
    $("state").textContent = [scene.state, ...scene.modals.slice(1)].filter(Boolean).join(" · ") || "–";
    const again = scene.changed.length ? `${scene.changed.join(", ")} changed; ` : "";
    $("busy").textContent = scene.isRendering ? `${again}rendering …`
      : `${again}rendered in ${((scene.took ?? 0) / 1000).toFixed(2)} s${scene.opened ? `; opened ${scene.opened}` : ""}`;
    $("screen").classList.toggle("waits", scene.isRendering);
    if (scene.picture && $("picture").dataset.path !== scene.picture) {
      $("picture").dataset.path = scene.picture;
      $("picture").src = scene.picture;
    }
    if (!scene.isRendering) $("finger").hidden = true;
    const told = scene.steps.some((step) => step.failure);
    $("problem").hidden = !scene.failure || told;
    $("problem").textContent = scene.failure ?? "";
    $("screen").style.setProperty("--ratio", scene.width / scene.height);
    $("scenario").textContent = scene.scenario;
    $("saved").textContent = !scene.isSaved ? "not saved" : scene.savedTo ? `saved to ${scene.savedTo}` : "";
    $("check").disabled = !scene.state;
    $("undo").disabled = $("clear").disabled = scene.steps.length === 0;
    $("warnings").replaceChildren(...scene.warnings.map((text) => element("li", text)));
    showSteps();
    showSpots();
    showLog();
  };

  const place = (event) => {
    const box = $("screen").getBoundingClientRect();
    return {
      x: Math.round((event.clientX - box.left) / box.width * scene.width * 10) / 10,
      y: Math.round((event.clientY - box.top) / box.height * scene.height * 10) / 10,
    };
  };
  const point = (at) => `{x: ${at.x}, y: ${at.y}}`;
  const spotAt = (at) => scene.spots.filter((spot) => at.x >= spot.frame.x && at.y >= spot.frame.y
    && at.x < spot.frame.x + spot.frame.width && at.y < spot.frame.y + spot.frame.height).pop();

  const tap = (at) => {
    const spot = spotAt(at);
    if (spot && spot.isField) {
      const text = prompt(`Text to type into ${spot.label}:`, "");
      if (text === null) return;
      return add(spot.step.replace(/text: "(?:[^"\\]|\\.)*"/, () => `text: ${JSON.stringify(text)}`));
    }
    add(spot && !$("points").checked ? spot.step : `tap: ${point(at)}`);
  };

  $("screen").addEventListener("pointerdown", (event) => {
    if (!scene || event.button !== 0) return;
    event.preventDefault();
    $("screen").setPointerCapture(event.pointerId);
    down = place(event);
    const box = $("screen").getBoundingClientRect();
    $("finger").style.left = `${event.clientX - box.left}px`;
    $("finger").style.top = `${event.clientY - box.top}px`;
    $("finger").hidden = false;
  });
  $("screen").addEventListener("pointerup", (event) => {
    if (!down) return;
    const [from, to] = [down, place(event)];
    down = null;
    if (Math.hypot(to.x - from.x, to.y - from.y) > 12) add(`swipe: {from: ${point(from)}, to: ${point(to)}}`);
    else tap(from);
  });
  $("screen").addEventListener("pointercancel", () => { down = null; $("finger").hidden = true; });

  for (const button of document.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => add(button.dataset.step));
  }
  $("undo").addEventListener("click", () => remove(scene.steps.length - 1, true));
  $("clear").addEventListener("click", () => remove(0, true));
  $("check").addEventListener("click", () => add(`expect: {state: ${scene.state}}`));
  $("save").addEventListener("click", () => send("save", { method: "POST" }));
  $("write").addEventListener("submit", async (event) => {
    event.preventDefault();
    if ($("step").value.trim() && await add($("step").value)) $("step").value = "";
  });
  $("filter").addEventListener("input", showLog);
  $("news").addEventListener("change", showLog);
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.target.matches("input")) return;
    if (event.key === "z" && scene.steps.length) { event.preventDefault(); remove(scene.steps.length - 1, true); }
    if (event.key === "s") { event.preventDefault(); send("save", { method: "POST" }); }
  });

  const scenes = new EventSource("scenes");
  scenes.onmessage = (message) => { scene = JSON.parse(message.data); show(); };
  scenes.onerror = () => { $("busy").textContent = "Galley has stopped or is unreachable."; };
})();
