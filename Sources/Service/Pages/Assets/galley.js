const byId = id => document.getElementById(id);
const say = (where, text) => { const place = byId(where); if (place) place.textContent = text; };

/** The problem document of a failed request; `detail` is always there. */
async function problemDocument(response) {
  const document = await response.json().catch(() => null);
  return { ...document, detail: document?.detail ?? `the server responded with status ${response.status}` };
}

/** Message of the server for a failed request. */
const problem = async (response) => (await problemDocument(response)).detail;

/** Sends a JSON request and returns the response. */
const send = (method, path, body) => fetch(path, {
  method, headers: body ? { "Content-Type": "application/json" } : {}, body: body && JSON.stringify(body),
});

/** Writes instants as people here read them. */
function localise(root) {
  for (const time of root.querySelectorAll("time")) time.textContent = new Date(time.dateTime).toLocaleString();
}

/** Keeps cards of runs that haven't ended up to date, all with one request. */
async function refreshRuns() {
  const open = [...document.querySelectorAll("#runs .run")]
    .filter(run => ["queued", "running"].includes(run.dataset.status));
  clearTimeout(refreshRuns.timer);
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
  refreshRuns.timer = setTimeout(refreshRuns, 1000);
}

/** Shows the runs as they are now, without leaving what is on the page besides. */
async function showRuns() {
  const response = await fetch("/", { headers: { Accept: "text/html" } }).catch(() => null);
  if (!response?.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const runs = page.getElementById("runs");
  if (!runs) return;
  localise(runs);
  byId("runs").replaceWith(document.adoptNode(runs));
  if (document.querySelector("#runs .run")) document.querySelector("p.empty")?.remove();
  refreshRuns();
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

/** Creates a share link for users without a token, and selects it. */
async function share(run) {
  const response = await send("POST", `/v1/renders/${run.dataset.id}/share`, {});
  if (!response.ok) return response;
  const link = await response.json();
  const copy = look.make("button", { type: "button" }, "Copy");
  copy.addEventListener("click", () => {
    field.select();
    navigator.clipboard?.writeText(field.value).then(() => { copy.textContent = "Copied"; }, () => {});
  });
  const field = look.make("input", { readonly: true, size: String(Math.min(120, new URL(link.url, location.origin).href.length)), value: new URL(link.url, location.origin).href, "aria-label": "Link to this run" });
  byId("says").replaceChildren("This link shows the screenshots and the report until ",
    new Date(link.expires).toLocaleString(), ": ", field, " ", copy, " ",
    look.make("button", { "data-action": "end-share", "data-share": link.id }, "Revoke this link"));
  field.select();
  return response;
}

/** Does something, and shows the page as it is since. */
async function andReload(promise) {
  const response = await promise;
  if (response.ok) location.reload();
  return response;
}

const actions = {
  cancel: run => send("DELETE", `/v1/renders/${run.dataset.id}`),
  async remove(run) {
    const response = await send("DELETE", `/v1/renders/${run.dataset.id}`);
    if (response.ok) location.assign(`/?removed=${run.dataset.id}`);
    return response;
  },
  async restore(note) {
    const response = await send("POST", `/v1/renders/${note.dataset.id}/restore`);
    if (response.ok) location.assign("/");
    return response;
  },
  async approve(run) {
    const key = [run.dataset.name, run.dataset.variant].map(encodeURIComponent).join("/");
    return andReload(send("PUT", `/v1/baselines/${key}`, { render: run.dataset.id }));
  },
  share,
  "end-share": (run, button) =>
    andReload(send("DELETE", `/v1/renders/${run.dataset.id}/shares/${button.dataset.share}`)),
  "remove-baseline": section => andReload(send("DELETE", section.dataset.baseline)),
  "undo-decision": (_, button) =>
    andReload(send("POST", `${button.dataset.url}/undo`, { decision: Number(button.dataset.number) })),
  async "undo-review"(note) {
    const { id, revision } = note.dataset;
    const response = await send("POST", `/v1/renders/${id}/review`, { decision: "undo", revision: Number(revision) });
    if (response.ok) location.assign(`/review/${id}`);
    return response;
  },
};

document.addEventListener("click", async event => {
  const button = event.target.closest("button[data-action]");
  if (!button) return;
  button.disabled = true;
  const response = await actions[button.dataset.action](button.closest("[data-id], [data-baseline]"), button);
  button.disabled = false;
  if (!response.ok) say("says", await problem(response));
});

/** A run beside its baseline: decided by buttons and keys, and on to the next. */
function watchReview() {
  const begin = byId("begin");
  if (begin) look.bindKeys({ n: () => { begin.click(); return true; } });
  const review = byId("review");
  if (!review) return;
  const form = byId("decision");
  const decide = async decision => {
    const boxes = look.all("input[name=part]", review);
    const chosen = boxes.filter(box => box.checked).map(box => box.value);
    const body = { decision, revision: Number(review.dataset.revision) };
    const comment = form.elements.comment?.value.trim();
    if (comment && decision !== "undo") body.comment = comment;
    const isPart = chosen.length < boxes.length && ["approve", "variant"].includes(decision);
    if (isPart && chosen.length === 0) return say("says", "Choose at least one part to decide.");
    if (isPart) body.parts = chosen;
    for (const button of form.querySelectorAll("button")) button.disabled = true;
    const { id, next } = review.dataset;
    const response = await send("POST", `/v1/renders/${id}/review`, body);
    for (const button of form.querySelectorAll("button")) button.disabled = false;
    if (!response.ok) {
      say("says", await problem(response));
      if (response.status === 409) byId("says").append(" ", look.make("a", { href: `/review/${id}` }, "Reload"));
      return;
    }
    const { state } = await response.json();
    const isDone = state === "approved" || state === "rejected";
    location.assign(isDone && decision !== "undo" ? `/review${next ? `/${next}` : ""}?done=${id}` : `/review/${id}`);
  };
  form?.addEventListener("submit", event => {
    event.preventDefault();
    decide(event.submitter?.value ?? "approve");
  });
  const press = selector => () => {
    const control = document.querySelector(selector);
    control?.click();
    return Boolean(control);
  };
  const keys = { n: press("#next"), p: press("#previous") };
  for (const [key, value] of [["a", "approve"], ["v", "variant"], ["r", "reject"], ["u", "undo"]]) {
    keys[key] = press(`#decision button[value=${value}]:not(:disabled)`);
  }
  look.bindKeys(keys);
}

/** What was found in a render, made by the server as in a report; then the page's own pictures are in it as well. */
async function fillReport() {
  const place = byId("report");
  if (!place) return;
  const response = await fetch(place.dataset.part).catch(() => null);
  place.removeAttribute("aria-busy");
  if (!response?.ok) return place.append(response ? await problem(response) : "The server is unreachable.");
  const found = new DOMParser().parseFromString(await response.text(), "text/html");
  place.append(...[...found.body.childNodes].map(node => document.adoptNode(node)));
  if (place.querySelector(".filmstrip")) byId("pictures")?.remove();
  report.start();
}

/** Shows the pictures of a list large. */
function watchPictures() {
  const links = look.all(".pictures a");
  if (links.length === 0) return;
  let viewer = null;
  const items = links.map(link => ({ image: link.querySelector("img"), title: link.querySelector("img").alt }));
  links.forEach((link, index) => link.addEventListener("click", event => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    viewer ??= look.makeViewer();
    viewer.open(items, index);
  }));
}

/** The wall of runs: the ad alone or the whole screen, and keys to go from one to the next. */
function watchWall() {
  const wall = byId("wall");
  if (!wall) return;
  byId("screen")?.addEventListener("change", event => wall.classList.toggle("part-ad", !event.target.checked));
  const go = by => {
    const names = look.all(".name", wall);
    const at = names.indexOf(document.activeElement);
    const next = names[at < 0 ? 0 : at + by];
    next?.focus();
    return Boolean(next);
  };
  look.bindKeys({ j: () => go(1), k: () => go(-1), "/": () => { document.querySelector("[name=q]")?.focus(); return true; } });
}

localise(document);
upload.start();
watchWall();
watchPictures();
fillReport();
if (document.querySelector(".views")) comparison.start();
refreshRuns();
watchReview();
followRun();
