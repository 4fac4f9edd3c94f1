// The axis of a render: what is brushed on it selects in every list, and any instant has its picture.
const timelines = (() => {
  const {all, make} = look;

  /** Round instants for a ruler, at most so many. */
  const ticks = (begin, end, most) => {
    const least = (end - begin) / Math.max(1, most);
    const power = 10 ** Math.floor(Math.log10(Math.max(least, 1e-3)));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least);
    const found = [];
    for (let at = Math.ceil(begin / step); at * step <= end; at += 1) found.push(at * step);
    return found;
  };

  /** Whether what goes on from `start` to `end` is in what is selected; with nothing selected everything is. */
  const isIn = (start, end, range) => !range || (start <= range.end && end >= range.begin);

  /** Where an instant is on the part of the axis that is shown, in percent. */
  const place = (t, view) => ((t - view.begin) / (view.end - view.begin)) * 100;

  /** The instant at a place from 0 to 1, within what is shown. */
  const instant = (share, view) => view.begin + Math.min(1, Math.max(0, share)) * (view.end - view.begin);

  /** The last of moments in their order that had come by an instant, or else the first. */
  const latest = (moments, t) => moments.findLast((moment) => moment.t <= t) ?? moments[0];

  const told = (t) => `${(t / 1000).toFixed(2)} s`;

  // `show` puts the picture of an id into an image.
  const start = (root, show) => {
    const timeline = root.querySelector('.timeline');
    if (!timeline || timeline.dataset.started) return;
    timeline.dataset.started = 'yes';
    const axis = timeline.querySelector('.axis');
    const end = Number(axis.dataset.end);
    const moments = axis.dataset.moments.split(';').filter(Boolean).map((text) => {
      const [t, id] = text.split(' ');
      return {t: Number(t), id};
    });
    const form = timeline.querySelector('form');
    const rows = all('.events tbody tr', timeline);
    const others = all('.waterfall tr[data-start], .step', root);
    const image = timeline.querySelector('.now img');
    const caption = timeline.querySelector('.now figcaption');
    let view = {begin: 0, end};
    let range = null;

    const cursor = make('div', {class: 'cursor', hidden: true});
    const brush = make('div', {class: 'brush', hidden: true});
    const over = make('div', {class: 'over'}, brush, cursor);
    const ruler = make('div', {class: 'ruler', 'aria-hidden': 'true'});
    const strip = make('div', {class: 'strip'});
    const from = make('input', {type: 'range', min: '0', max: String(end), step: 'any', value: '0'});
    const until = make('input', {type: 'range', min: '0', max: String(end), step: 'any', value: String(end)});
    const output = make('output');
    const closer = make('button', {type: 'button', click: () => { view = {...range}; draw(); }}, 'Zoom in');
    const whole = make('button', {type: 'button', click: () => { view = {begin: 0, end}; choose(null); }}, 'Show all');
    const controls = make('div', {class: 'span-form', role: 'group', 'aria-label': 'Time range'},
      make('label', {}, 'From', from), make('label', {}, 'to', until), closer, whole, output);
    for (const input of [from, until]) {
      input.addEventListener('input', () => {
        const [begin, last] = [Number(from.value), Number(until.value)].sort((one, other) => one - other);
        choose(begin <= 0 && last >= end ? null : {begin, end: last});
        see(Number(input.value));
      });
    }
    if (moments.length) axis.prepend(make('div', {class: 'stills'}, make('span', {class: 'title'}, 'Screenshots'), strip));
    axis.querySelector('.ends').replaceWith(ruler);
    axis.append(over);
    axis.after(controls);

    /** Shows what the screen showed at an instant. */
    const see = (t, words) => {
      cursor.hidden = t < view.begin || t > view.end;
      cursor.style.left = `${place(t, view)}%`;
      const moment = latest(moments, t);
      if (!image || !moment) return;
      show(image, moment.id);
      caption.textContent = words ?? told(t);
    };
    const select = (row) => {
      for (const other of all('tr.selected', timeline)) other.classList.remove('selected');
      row.classList.add('selected');
      see(Number(row.dataset.start), `${row.cells[0].textContent} ${row.cells[1].textContent}`);
    };
    const filter = () => {
      const text = form.querySelector('input[type=search]').value.trim().toLowerCase();
      let shown = 0;
      for (const row of rows) {
        const t = Number(row.dataset.start);
        row.hidden = !form.elements[row.dataset.source].checked || !isIn(t, t, range)
          || !row.textContent.toLowerCase().includes(text);
        shown += row.hidden ? 0 : 1;
      }
      form.querySelector('output').value = `${shown} of ${rows.length} events`;
    };
    const choose = (chosen) => {
      range = chosen;
      for (const row of others) {
        const isOut = !isIn(Number(row.dataset.start), Number(row.dataset.end), range);
        if (row.matches('.step')) row.classList.toggle('outside', isOut);
        else row.hidden = isOut;
      }
      [from.value, until.value] = [String(range?.begin ?? 0), String(range?.end ?? end)];
      filter();
      draw();
    };

    /** Draws the part of the axis that is shown. */
    const draw = () => {
      brush.hidden = !range || range.end < view.begin || range.begin > view.end;
      if (range) {
        const [left, right] = [place(range.begin, view), place(range.end, view)].map((at) => Math.min(100, Math.max(0, at)));
        [brush.style.left, brush.style.width] = [`${left}%`, `${right - left}%`];
      }
      closer.disabled = !range || range.end - range.begin < 1;
      whole.disabled = !range && view.begin === 0 && view.end === end;
      output.value = range ? `${told(range.begin)} to ${told(range.end)}` : `${told(view.begin)} to ${told(view.end)}`;
      const wide = over.clientWidth || 600;
      ruler.replaceChildren(...ticks(view.begin, view.end, wide / 90).filter((t) => place(t, view) < 96).map((t) => {
        const tick = make('span', {}, told(t));
        tick.style.left = `${place(t, view)}%`;
        return tick;
      }));
      for (const svg of all('.track svg', axis)) {
        const high = svg.viewBox.baseVal.height;
        svg.setAttribute('viewBox', `${view.begin} 0 ${view.end - view.begin} ${high}`);
      }
      for (const track of all('.track.labelled', axis)) {
        for (const label of all('.label', track)) label.remove();
        for (const span of all('.span', track)) {
          const [begin, width] = [span.x.baseVal.value, span.width.baseVal.value];
          const left = Math.max(0, place(begin, view));
          const right = Math.min(100, place(begin + width, view));
          if (((right - left) / 100) * wide < 28) continue;
          const label = make('span', {class: 'label', 'aria-hidden': 'true'}, span.dataset.label);
          [label.style.left, label.style.width] = [`${left}%`, `${right - left}%`];
          label.style.top = `${(span.y.baseVal.value - 1) * 2}px`;
          track.append(label);
        }
      }
      const sample = moments.length && document.getElementById(moments[0].id);
      if (!(sample instanceof HTMLImageElement)) return;
      const slots = Math.max(4, Math.floor(wide / Math.max(30, (74 * sample.width) / sample.height + 4)));
      strip.replaceChildren(...Array.from({length: slots}, (_, slot) => {
        const still = make('img', {alt: ''});
        show(still, latest(moments, instant((slot + 0.5) / slots, view)).id);
        still.alt = '';
        return still;
      }));
    };

    // A drag brushes, a click goes to the nearest event, and a pointer that passes shows what was seen then.
    const at = (event) => {
      const box = over.getBoundingClientRect();
      return instant((event.clientX - box.left) / box.width, view);
    };
    let held = null;
    over.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      over.setPointerCapture(event.pointerId);
      held = {x: event.clientX, t: at(event)};
    });
    over.addEventListener('pointermove', (event) => {
      const t = at(event);
      see(t);
      if (held && Math.abs(event.clientX - held.x) > 4) {
        choose({begin: Math.min(held.t, t), end: Math.max(held.t, t)});
      }
    });
    over.addEventListener('pointerup', (event) => {
      if (!held) return;
      const isClick = Math.abs(event.clientX - held.x) <= 4;
      held = null;
      if (!isClick) return;
      choose(null);
      const t = at(event);
      const near = rows.filter((row) => !row.hidden).reduce((best, row) =>
        (!best || Math.abs(row.dataset.start - t) < Math.abs(best.dataset.start - t) ? row : best), null);
      if (near) {
        near.focus({preventScroll: true});
        near.scrollIntoView({block: 'nearest'});
      }
    });
    over.addEventListener('pointercancel', () => { held = null; });

    form.addEventListener('input', filter);
    form.addEventListener('submit', (event) => event.preventDefault());
    timeline.addEventListener('click', (event) => event.target.closest('.events tbody tr')?.focus());
    for (const row of rows) row.addEventListener('focus', () => select(row));
    timeline.addEventListener('keydown', (event) => {
      const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
      const visible = rows.filter((row) => !row.hidden);
      const next = visible[visible.indexOf(document.activeElement) + step];
      if (!step || !next || !rows.includes(document.activeElement)) return;
      event.preventDefault();
      next.focus();
    });
    addEventListener('resize', draw);
    choose(null);
    if (rows.length) select(rows[0]);
  };

  return {ticks, isIn, place, instant, latest, start};
})();
