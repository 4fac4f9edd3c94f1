// The report works without this; with it lists are filtered, pictures are seen large, and follow the events.
const report = {start() {
  const {all, make} = look;
  const has = (node, text) => node.textContent.toLowerCase().includes(text);
  // A render that nobody judged has none.
  const bar = document.querySelector('.findings-filter');
  const wall = document.querySelector('.wall');
  const overview = document.querySelector('.overview');
  const viewer = look.makeViewer();

  // Every picture of a creative, as the viewer shows it.
  const pictures = (creative) => all('.filmstrip figure', creative).filter((figure) => figure.querySelector('.screen'))
    .map((figure) => ({
      image: figure.querySelector('.screen'), alone: figure.querySelector('.alone'),
      title: creative.querySelector('h2').textContent, link: `#${creative.id}`,
      told: all('figcaption > *', figure).map((part) => part.textContent).join(' · '),
    }));
  const enlarge = (image, creatives, isAlone) => {
    const items = creatives.flatMap(pictures);
    viewer.open(items, items.findIndex((item) => item.image === image), isAlone);
  };
  for (const button of all('.shot')) {
    button.addEventListener('click', () => enlarge(button.querySelector('img'), [button.closest('.creative')], false));
  }

  // Shows a picture that the page carries already.
  const show = (image, id) => {
    const source = document.getElementById(id ?? '');
    if (!(source instanceof HTMLImageElement)) return;
    image.src = source.src;
    image.alt = source.alt;
    image.dataset.of = id;
  };
  for (const image of all('.now img')) {
    image.addEventListener('click', () => {
      enlarge(document.getElementById(image.dataset.of), [image.closest('.creative')], false);
    });
  }
  for (const link of all('a.moment')) {
    const image = make('img', {loading: 'lazy'});
    show(image, link.hash.slice(1));
    if (!image.src) continue;
    link.prepend(image);
    link.addEventListener('click', (event) => {
      event.preventDefault();
      enlarge(document.getElementById(link.hash.slice(1)), [link.closest('.creative')], false);
    });
  }

  // What the filter leaves: findings, the creatives that have some, and their rows and cards.
  const creatives = all('details.creative').map((node) => ({
    node, row: document.querySelector(`tr[data-creative="${node.id}"]`), title: node.querySelector('summary'),
    card: document.querySelector(`.card[data-creative="${node.id}"]`), findings: all('.finding', node),
  }));
  const findings = all('.finding').length;
  const words = (text) => (text ?? '').split(' ').filter(Boolean);
  const value = (name) => bar?.elements[name]?.value ?? '';
  const filter = () => {
    const text = value('text').trim().toLowerCase();
    let [shown, left] = [0, 0];
    for (const {node, row, title, card, findings} of creatives) {
      const named = has(title, text);
      const fits = (!bar.elements.failing.checked || node.dataset.status !== 'passed')
        && (!value('refused') || words(card.dataset.refused).includes(value('refused')))
        && (!value('check') || words(card.dataset.checks).includes(value('check')));
      let here = 0;
      for (const finding of findings) {
        finding.hidden = !bar.elements[finding.dataset.severity].checked || !(named || has(finding, text))
          || (value('check') && finding.dataset.check !== value('check'));
        here += finding.hidden ? 0 : 1;
      }
      node.hidden = !fits || (!named && here === 0);
      shown += node.hidden ? 0 : here;
      left += node.hidden ? 0 : 1;
      if (row) row.hidden = node.hidden;
    }
    bar.querySelector('output').value = creatives.length > 1
      ? `${left} of ${creatives.length} creatives, ${shown} of ${findings} findings` : `${shown} of ${findings} findings`;
    arrange();
  };

  // The wall, in the order and the groups that are chosen.
  const facts = creatives.filter(({card}) => card).map(({node, card}) => ({
    node, card, place: Number(card.dataset.place), name: card.dataset.name, status: card.dataset.status,
    errors: Number(card.dataset.errors), warnings: Number(card.dataset.warnings), device: card.dataset.device,
    folder: card.dataset.folder, checks: words(card.dataset.checks), refused: words(card.dataset.refused),
  }));
  const titles = new Map(all('.findings-filter option').map((option) => [option.value, option.textContent]));
  const told = {failed: 'failed', passed: 'passed', timedOut: 'timed out', broken: 'not judged'};
  const arrange = () => {
    if (!wall) return;
    const shown = facts.filter(({node}) => !node.hidden);
    const groups = look.arrange(shown, value('order'), value('group'));
    const used = new Set();
    wall.replaceChildren(...groups.flatMap(({key, members}) => {
      const cards = members.map(({card}) => {
        // In several groups it is there several times.
        if (used.has(card)) return card.cloneNode(true);
        used.add(card);
        return card;
      });
      const list = make('ul', {class: 'cards'}, ...cards);
      if (!key) return [list];
      const heading = make('h3', {}, `${titles.get(key) ?? told[key] ?? key} `, make('span', {}, String(members.length)));
      return [heading, list];
    }));
    if (!shown.length) wall.append(make('p', {class: 'empty'}, 'No creative matches the filter.'));
  };
  const view = () => {
    if (!wall) return;
    wall.classList.toggle('part-ad', !bar.elements.screen.checked);
    wall.hidden = value('view') !== 'wall';
    overview.hidden = !wall.hidden;
  };
  if (bar) {
    bar.addEventListener('input', () => { filter(); view(); });
    bar.addEventListener('submit', (event) => event.preventDefault());
    filter();
    view();
  }
  wall?.addEventListener('click', (event) => {
    const link = event.target.closest('a.thumb');
    const source = link && document.getElementById(link.hash.slice(1));
    if (!(source instanceof HTMLImageElement)) return;
    event.preventDefault();
    const cards = all('.card', wall).filter((card, index, list) =>
      list.findIndex((other) => other.dataset.creative === card.dataset.creative) === index);
    const isAlone = wall.classList.contains('part-ad');
    enlarge(source, cards.map((card) => document.getElementById(card.dataset.creative)), isAlone);
  });

  // A timeline is built once somebody looks at it: a page may have hundreds.
  for (const {node} of creatives) {
    const begin = () => { if (node.open) timelines.start(node, show); };
    node.addEventListener('toggle', begin, {once: !node.open});
    begin();
  }

  // Creatives by key: on the wall while it is shown, or else one below the other.
  const stops = () => (wall && !wall.hidden ? all('.card .name', wall)
    : creatives.filter(({node}) => !node.hidden).map(({title}) => title));
  const isFailing = (stop) => (stop.closest('.card, .creative')).dataset.status !== 'passed';
  const move = (by, fits = () => true) => {
    const list = stops().filter((stop) => fits(stop) || stop === document.activeElement);
    const at = list.indexOf(document.activeElement);
    const next = list[at < 0 ? 0 : at + by];
    if (!next) return false;
    next.focus();
    next.scrollIntoView({block: 'center'});
    return true;
  };
  look.bindKeys({
    '/': () => { bar?.elements.text.focus(); return Boolean(bar); },
    j: () => move(1), k: () => move(-1), n: () => move(1, isFailing), N: () => move(-1, isFailing),
    v: () => {
      const place = document.activeElement.closest('.card, .creative');
      const first = place && (place.querySelector('a.thumb') ?? place.querySelector('.shot'));
      first?.click();
      return Boolean(first);
    },
  });

  // What an address points to may lie folded.
  const unfold = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let at = target; at; at = at.parentElement) if (at instanceof HTMLDetailsElement) at.open = true;
    target.scrollIntoView({behavior: 'instant'});
    if (target instanceof HTMLTableRowElement) target.focus();
  };
  addEventListener('hashchange', unfold);
  unfold();
}};
