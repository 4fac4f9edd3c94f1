const byId = id => document.getElementById(id);
const say = (where, text) => { const place = byId(where); if (place) place.textContent = text; };

/** The server's own words for what went wrong. */
async function problem(response) {
  const document = await response.json().catch(() => null);
  return document?.detail ?? `the server answered ${response.status}`;
}

/** Sends each chosen file, or the address, as a render of its own. */
async function submit(form, files) {
  const address = form.elements.url.value.trim();
  const parts = files.length > 0 ? [...files] : address ? [null] : [];
  if (parts.length === 0) return say("upload-says", "Choose a file or write an address.");
  let done = 0;
  for (const file of parts) {
    const data = new FormData();
    if (file) data.append("creative", file, file.name); else data.append("url", address);
    for (const name of ["device", "placement", "size", "container"]) {
      if (form.elements[name].value) data.append(name, form.elements[name].value);
    }
    for (const name of ["checks", "explore"]) data.append(name, String(form.elements[name].checked));
    say("upload-says", `Sending ${file ? file.name : address} …`);
    const response = await fetch("/v1/renders", { method: "POST", body: data });
    if (!response.ok) return say("upload-says", `${file ? file.name + ": " : ""}${await problem(response)}`);
    const render = await response.json();
    done += 1;
    if (parts.length === 1) return location.assign(`/renders/${render.id}`);
  }
  say("upload-says", `${done} accepted.`);
  location.assign("/");
}

function watchUpload() {
  const form = byId("upload");
  if (!form) return;
  const drop = byId("drop");
  form.addEventListener("submit", event => {
    event.preventDefault();
    submit(form, form.elements.creative.files);
  });
  for (const name of ["dragenter", "dragover"]) {
    drop.addEventListener(name, event => { event.preventDefault(); drop.classList.add("over"); });
  }
  for (const name of ["dragleave", "drop"]) drop.addEventListener(name, () => drop.classList.remove("over"));
  drop.addEventListener("drop", event => {
    event.preventDefault();
    submit(form, event.dataTransfer.files);
  });
}

/** Writes instants as people here read them. */
function localise(root) {
  for (const time of root.querySelectorAll("time")) time.textContent = new Date(time.dateTime).toLocaleString();
}

/** Keeps cards of runs that haven't ended up to date, all with one request. */
async function refreshRuns() {
  const open = [...document.querySelectorAll("#runs .run")]
    .filter(run => ["queued", "running"].includes(run.dataset.status));
  if (open.length === 0) return;
  const response = await fetch("/parts/runs?ids=" + open.map(run => run.dataset.id).join(",")).catch(() => null);
  if (response?.ok) {
    const cards = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const run of open) {
      const news = cards.querySelector(`[data-id="${run.dataset.id}"]`);
      if (!news || news.dataset.status === run.dataset.status) continue;
      localise(news);
      run.replaceWith(document.adoptNode(news));
    }
  }
  setTimeout(refreshRuns, 1000);
}

/** Follows one run live. */
function followRun() {
  const run = byId("run");
  if (!run || !["queued", "running"].includes(run.dataset.status)) return;
  const events = new EventSource(`/v1/renders/${run.dataset.id}/events`);
  const log = byId("log");
  events.addEventListener("status", event => {
    const render = JSON.parse(event.data);
    say("status", render.status);
    if (render.status === "running") say("progress", "rendering");
  });
  events.addEventListener("progress", event => say("progress", JSON.parse(event.data).phase));
  events.addEventListener("log", event => {
    const line = JSON.parse(event.data);
    const item = document.createElement("li");
    item.textContent = `${Math.round(line.t)} ms  ${line.source}/${line.name}`;
    log.append(item);
    item.scrollIntoView({ block: "nearest" });
  });
  events.addEventListener("end", () => {
    events.close();
    location.reload();
  });
}

const actions = {
  async cancel(run) { return fetch(`/v1/renders/${run.dataset.id}`, { method: "DELETE" }); },
  async remove(run) {
    const response = await fetch(`/v1/renders/${run.dataset.id}`, { method: "DELETE" });
    if (response.ok) location.assign("/");
    return response;
  },
  async approve(run) {
    const key = [run.dataset.name, run.dataset.variant].map(encodeURIComponent).join("/");
    const response = await fetch(`/v1/baselines/${key}`, {
      method: "PUT", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ render: run.dataset.id }),
    });
    if (response.ok) say("says", "Approved.");
    return response;
  },
  async "remove-baseline"(section) {
    const response = await fetch(section.dataset.baseline, { method: "DELETE" });
    if (response.ok) section.remove();
    return response;
  },
};

document.addEventListener("click", async event => {
  const button = event.target.closest("button[data-action]");
  if (!button) return;
  button.disabled = true;
  const response = await actions[button.dataset.action](button.closest("[data-id], [data-baseline]"));
  button.disabled = false;
  if (!response.ok) say("says", await problem(response));
});

/** What was found in a render, made by the server as in a report; then the page's own pictures are in it as well. */
async function fillReport() {
  const place = byId("report");
  if (!place) return;
  const response = await fetch(place.dataset.part).catch(() => null);
  place.removeAttribute("aria-busy");
  if (!response?.ok) return place.append(response ? await problem(response) : "The server can't be reached.");
  const found = new DOMParser().parseFromString(await response.text(), "text/html");
  place.append(...[...found.body.childNodes].map(node => document.adoptNode(node)));
  if (place.querySelector(".filmstrip")) byId("pictures")?.remove();
  report.start();
}

/** Shows the pictures of a list large. */
function watchPictures() {
  const links = look.all(".pictures a");
  if (links.length === 0) return;
  const viewer = look.makeViewer();
  const items = links.map(link => ({ image: link.querySelector("img"), title: link.querySelector("img").alt }));
  links.forEach((link, index) => link.addEventListener("click", event => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    viewer.open(items, index);
  }));
}

/** The wall of runs: the ad alone or the whole screen, and keys to go from one to the next. */
function watchWall() {
  const wall = byId("wall");
  if (!wall) return;
  byId("screen").addEventListener("change", event => wall.classList.toggle("part-ad", !event.target.checked));
  const go = by => {
    const names = look.all(".name", wall);
    const at = names.indexOf(document.activeElement);
    const next = names[at < 0 ? 0 : at + by];
    next?.focus();
    return Boolean(next);
  };
  look.bindKeys({ j: () => go(1), k: () => go(-1), "/": () => { document.querySelector("[name=q]").focus(); return true; } });
}

localise(document);
watchUpload();
watchWall();
watchPictures();
fillReport();
if (document.querySelector(".views")) comparison.start();
refreshRuns();
followRun();
