'use strict';
// What all pages of Galley do alike. Each page says what of it is for which elements; nothing runs by itself.
const look = (() => {
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));

  /** An element with attributes and children; text stays text. */
  const make = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (typeof value === 'function') element.addEventListener(key, value);
      else if (value !== null && value !== false) element.setAttribute(key, value === true ? '' : value);
    }
    element.append(...children);
    return element;
  };

  const worst = ['failed', 'timedOut', 'broken', 'passed'];
  const orders = {
    given: (one, other) => one.place - other.place,
    name: (one, other) => one.name.localeCompare(other.name, 'en', {numeric: true}),
    worst: (one, other) => worst.indexOf(one.status) - worst.indexOf(other.status)
      || other.errors - one.errors || other.warnings - one.warnings,
    findings: (one, other) => other.errors + other.warnings - one.errors - one.warnings,
  };
  const groupings = {
    none: () => [''],
    status: (card) => [card.status],
    device: (card) => [card.device],
    folder: (card) => [card.folder],
    check: (card) => card.checks.length ? card.checks : ['no findings'],
    network: (card) => card.refused.length ? card.refused : ['not refused'],
  };

  /** Cards in the order and the groups that are asked for; one card may be in several groups, the largest first. */
  const arrange = (cards, order, group) => {
    const sorted = [...cards].sort((one, other) => (orders[order] ?? orders.given)(one, other) || one.place - other.place);
    const groups = new Map();
    for (const card of sorted) {
      for (const key of (groupings[group] ?? groupings.none)(card)) groups.set(key, [...groups.get(key) ?? [], card]);
    }
    const found = [...groups].map(([key, members]) => ({key, members}));
    return group === 'check' || group === 'network'
      ? found.sort((one, other) => other.members.length - one.members.length) : found;
  };

  /** How large a picture is shown so that all of it fits; small ones grow, but not into a blur. */
  const fitted = (width, height, room) => {
    const scale = Math.min(room.width / width, room.height / height, 2);
    return {width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale))};
  };

  /** Keys for the whole page, but not while somebody types or holds another key. */
  const bindKeys = (actions) => addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.closest?.('input:not([type=checkbox]):not([type=radio]), select, textarea, dialog')) return;
    if (actions[event.key]?.() === true) event.preventDefault();
  });

  let viewers = 0;

  /** Shows pictures large, one after the other. An item has `image`, and may have `alone`, `title`, `told`, `link`. */
  const makeViewer = () => {
    let items = [];
    let at = 0;
    let isLarge = false;
    let isAlone = false;
    viewers += 1;
    const title = make('h2', {id: `viewer-${viewers}`});
    const link = make('a', {class: 'button', click: () => dialog.close()}, 'Details');
    const part = make('button', {type: 'button', click: () => swap()}, 'Ad alone');
    const picture = make('img', {alt: ''});
    const stage = make('div', {class: 'stage', tabindex: '0', role: 'group', 'aria-label': 'Picture', click: () => zoom()}, picture);
    const step = (by) => { at = (at + by + items.length) % items.length; show(); };
    const dialog = make('dialog', {class: 'viewer', 'aria-labelledby': title.id},
      make('header', {}, title, link, part,
        make('button', {type: 'button', click: () => step(-1), 'aria-label': 'Previous image'}, '←'),
        make('button', {type: 'button', click: () => step(1), 'aria-label': 'Next image'}, '→'),
        make('button', {type: 'button', click: () => dialog.close()}, 'Close')), stage);
    const size = () => {
      const [width, height] = [picture.naturalWidth, picture.naturalHeight];
      if (!width) return;
      const room = {width: stage.clientWidth - 34, height: stage.clientHeight - 34};
      const fit = fitted(width, height, room);
      // Twice what fits is large enough to look closely, whatever the picture's own size.
      picture.style.width = `${isLarge ? Math.max(width, fit.width * 2) : fit.width}px`;
      picture.style.height = 'auto';
      stage.classList.toggle('large', isLarge);
    };
    const zoom = () => { isLarge = !isLarge; size(); };
    const swap = () => { isAlone = !isAlone; show(); };
    const show = () => {
      const item = items[at];
      const source = (isAlone && item.alone) || item.image;
      part.hidden = !item.alone;
      part.setAttribute('aria-pressed', String(source === item.alone));
      link.hidden = !item.link;
      if (item.link) link.href = item.link;
      title.replaceChildren(item.title ?? '', ' ', make('span', {}, `${item.told ?? ''} · ${at + 1} of ${items.length}`));
      isLarge = false;
      picture.addEventListener('load', size, {once: true});
      picture.src = source.src;
      picture.alt = source.alt;
      if (picture.complete) size();
    };
    dialog.addEventListener('keydown', (event) => {
      const action = {ArrowRight: () => step(1), ArrowLeft: () => step(-1), Home: () => step(-at),
        End: () => step(items.length - 1 - at), z: zoom, a: swap}[event.key];
      if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      action();
    });
    dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
    document.body.append(dialog);
    addEventListener('resize', () => { if (dialog.open) size(); });
    return {
      open(list, index, alone = false) {
        if (!list.length) return;
        [items, at, isAlone] = [list, Math.max(0, index), alone];
        dialog.showModal();
        show();
        stage.focus();
      },
    };
  };

  return {all, make, arrange, fitted, bindKeys, makeViewer};
})();
