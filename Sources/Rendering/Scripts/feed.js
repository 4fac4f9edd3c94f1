// What the host asks of the feed's page; goes before each question.
const sections = () => [...document.querySelectorAll("main > section")];
const feed = {
  // Where everything stands on the page, once its pictures and fonts are there.
  async measure() {
    const pictures = [...document.images].map((image) => image.decode().catch(() => {}));
    await Promise.race([
      Promise.all([document.fonts.ready, ...pictures]), new Promise((done) => setTimeout(done, 2000)),
    ]);
    const place = (element) => {
      const box = element.getBoundingClientRect();
      return { x: box.x, y: box.y + scrollY, width: box.width, height: box.height };
    };
    const cells = sections().map((section) => {
      const room = section.querySelector("[data-view]");
      const { y, height } = place(section);
      return { id: section.id, y, height, ...(room && height > 0 ? { room: place(room) } : {}) };
    });
    return { height: document.documentElement.scrollHeight, cells };
  },
  indicate(id, isShown) { document.querySelector(`#${id} .indicator`).hidden = !isShown; },
  collapse(id) { document.getElementById(id).classList.add("collapsed"); },
  remove(id) { document.getElementById(id).remove(); },
  // What a finger does there: follow, dismiss, or nothing that concerns the host.
  tap(x, y) {
    const touched = document.elementFromPoint(x, y);
    touched?.closest(".answer")?.classList.add("chosen");
    return touched?.closest("[data-does]")?.dataset.does ?? null;
  },
  // The middle of the first match, on the page.
  find(selector) {
    const box = document.querySelector(selector)?.getBoundingClientRect();
    return box && box.height > 0 ? [box.x + box.width / 2, box.y + box.height / 2 + scrollY] : null;
  },
  scroll(y) {
    scrollTo(0, y);
    return scrollY;
  },
};
