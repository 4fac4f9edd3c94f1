'use strict';
// The page works without this; with it lists are filtered, and pictures follow the events.
(() => {
  const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
  const has = (node, text) => node.textContent.toLowerCase().includes(text);

  // Shows a picture that the page carries already.
  const show = (image, id) => {
    const source = document.getElementById(id);
    if (source instanceof HTMLImageElement) {
      image.src = source.src;
      image.alt = source.alt;
    }
  };

  const enlarged = document.getElementById('enlarged');
  const enlarge = (image) => {
    const target = enlarged.querySelector('img');
    target.src = image.src;
    target.alt = image.alt;
    enlarged.showModal();
  };
  enlarged.addEventListener('click', (event) => { if (event.target === enlarged) enlarged.close(); });
  for (const image of all('.filmstrip img, .now img')) image.addEventListener('click', () => enlarge(image));

  for (const link of all('a.moment')) {
    const image = document.createElement('img');
    show(image, link.hash.slice(1));
    if (!image.src) continue;
    image.loading = 'lazy';
    link.prepend(image);
    link.addEventListener('click', (event) => {
      event.preventDefault();
      enlarge(image);
    });
  }

  const findings = document.querySelector('.findings-filter');
  const filterFindings = () => {
    const text = findings.elements.text.value.trim().toLowerCase();
    let shown = 0;
    for (const creative of all('details.creative')) {
      const named = has(creative.querySelector('summary'), text);
      const fits = !findings.elements.failing.checked || creative.dataset.status !== 'passed';
      let here = 0;
      for (const card of all('.finding', creative)) {
        card.hidden = !findings.elements[card.dataset.severity].checked || !(named || has(card, text));
        here += card.hidden ? 0 : 1;
      }
      creative.hidden = !fits || (!named && here === 0);
      shown += creative.hidden ? 0 : here;
      const row = document.querySelector(`tr[data-creative="${creative.id}"]`);
      if (row) row.hidden = creative.hidden;
    }
    findings.querySelector('output').value = `${shown} of ${all('.finding').length} findings`;
  };
  findings.addEventListener('input', filterFindings);
  findings.addEventListener('submit', (event) => event.preventDefault());
  filterFindings();

  for (const timeline of all('.timeline')) {
    const form = timeline.querySelector('form');
    const rows = all('tbody tr', timeline);
    const image = timeline.querySelector('.now img');
    const caption = timeline.querySelector('.now figcaption');

    const select = (row) => {
      for (const other of all('tr.selected', timeline)) other.classList.remove('selected');
      row.classList.add('selected');
      if (!image) return;
      show(image, row.dataset.picture);
      caption.textContent = `${row.cells[0].textContent} ${row.cells[1].textContent}`;
    };
    const filter = () => {
      const text = form.querySelector('input[type=search]').value.trim().toLowerCase();
      let shown = 0;
      for (const row of rows) {
        row.hidden = !form.elements[row.dataset.source].checked || !has(row, text);
        shown += row.hidden ? 0 : 1;
      }
      form.querySelector('output').value = `${shown} of ${rows.length} events`;
    };
    form.addEventListener('input', filter);
    form.addEventListener('submit', (event) => event.preventDefault());
    filter();

    timeline.addEventListener('click', (event) => {
      const row = event.target.closest('tbody tr');
      if (row) row.focus();
    });
    for (const row of rows) row.addEventListener('focus', () => select(row));
    timeline.addEventListener('keydown', (event) => {
      const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
      const visible = rows.filter((row) => !row.hidden);
      const next = visible[visible.indexOf(document.activeElement) + step];
      if (!step || !next || !rows.includes(document.activeElement)) return;
      event.preventDefault();
      next.focus();
    });
    if (rows.length) select(rows[0]);
  }

  // What an address points to may lie folded.
  const unfold = () => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target) return;
    for (let at = target; at; at = at.parentElement) if (at instanceof HTMLDetailsElement) at.open = true;
    target.scrollIntoView();
    if (target instanceof HTMLTableRowElement) target.focus();
  };
  addEventListener('hashchange', unfold);
  unfold();
})();
