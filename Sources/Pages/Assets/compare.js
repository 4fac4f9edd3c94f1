// Without this script the pictures stand side by side.
const comparison = (() => {
  const {all, make} = look;
  const modes = [['Side by side', ''], ['Slider', 'stacked slider'], ['Blink', 'stacked blink'], ['Highlight', 'only-highlight']];

  /** How wide each of two pictures is in a stack, in percent: pictures of different sizes keep their scale. */
  const shares = (widths) => {
    const widest = Math.max(...widths);
    return widths.map((width) => (widest > 0 ? (100 * width) / widest : 100));
  };

  /** Where the second picture begins, in percent of what is between two edges. */
  const split = (x, left, width) => (width > 0 ? Math.min(100, Math.max(0, ((x - left) / width) * 100)) : 50);

  const scale = (views, isStacked) => {
    const images = all('.first img, .second img', views);
    const wide = shares(images.map((image) => image.naturalWidth || image.width));
    images.forEach((image, index) => {
      image.style.width = views.classList.contains('actual') ? '' : `${isStacked ? wide[index] : 100}%`;
    });
  };

  // Gives a picture its ways of being compared; answers what chooses one by its number.
  const equip = (picture, viewer) => {
    const views = picture.querySelector('.views');
    if (!views) return () => {};
    const items = all('figure', views).map((figure) => ({
      image: figure.querySelector('img'), title: picture.querySelector('h2, h3').textContent,
      told: figure.querySelector('figcaption').textContent,
    }));
    let classes = '';
    let isActual = false;
    for (const item of items) {
      item.image.addEventListener('click', () => { if (!classes.includes('slider')) viewer.open(items, items.indexOf(item)); });
    }
    if (all('.first, .second', views).length < 2) return () => {};
    const slider = make('input', {type: 'range', class: 'split', value: '50', 'aria-label': 'Position of the slider', hidden: true});
    const divide = (percent) => {
      slider.value = String(percent);
      views.style.setProperty('--split', `${percent}%`);
    };
    slider.addEventListener('input', () => divide(slider.value));
    const follow = (event) => {
      if (!classes.includes('slider') || !event.buttons) return;
      const box = views.getBoundingClientRect();
      divide(split(event.clientX, box.left, box.width));
    };
    views.addEventListener('pointerdown', (event) => {
      if (!classes.includes('slider')) return;
      event.preventDefault();
      views.setPointerCapture(event.pointerId);
      follow(event);
    });
    views.addEventListener('pointermove', follow);
    const show = () => {
      views.className = ['views', classes, isActual ? 'actual' : ''].join(' ');
      slider.hidden = !classes.includes('slider');
      scale(views, classes.includes('stacked'));
    };
    const known = modes.filter(([, name]) => name !== 'only-highlight' || views.querySelector('.highlight'));
    const buttons = known.map(([text, name], index) => make('button',
      {type: 'button', 'aria-pressed': String(name === ''), click: () => choose(index)}, text));
    const choose = (index) => {
      if (!known[index]) return;
      classes = known[index][1];
      buttons.forEach((button, other) => button.setAttribute('aria-pressed', String(other === index)));
      show();
    };
    const actual = make('button', {type: 'button', 'aria-pressed': 'false', click: () => {
      isActual = !isActual;
      actual.setAttribute('aria-pressed', String(isActual));
      show();
    }}, 'Actual size');
    views.before(make('div', {class: 'modes'}, ...buttons, actual), slider);
    return choose;
  };

  // All that differs at a glance, above what tells of each.
  const overview = (pictures) => {
    const cards = pictures.map((picture) => {
      // What differs says most, then what is new.
      const image = ['.highlight img', '.second img', '.first img'].map((kind) => picture.querySelector(kind)).find(Boolean);
      const thumb = make('a', {class: 'thumb', href: `#${picture.id}`, tabindex: '-1', 'aria-hidden': 'true'},
        image ? make('img', {src: image.src, alt: '', loading: 'lazy'}) : 'no image');
      const parent = picture.closest('.result')?.querySelector('h2')?.textContent ?? '';
      const name = make('a', {class: 'name', href: `#${picture.id}`}, picture.querySelector('h2, h3').firstChild.textContent);
      const about = make('div', {class: 'about'}, name, make('p', {class: 'facts'}, parent),
        make('p', {}, picture.querySelector('p')?.textContent ?? ''));
      return make('li', {class: 'card bad'}, thumb, about);
    });
    const output = make('output');
    const search = make('input', {type: 'search', placeholder: 'result or screenshot', input: () => filter()});
    const filter = () => {
      const text = search.value.trim().toLowerCase();
      cards.forEach((card, index) => {
        card.hidden = !card.textContent.toLowerCase().includes(text);
        pictures[index].hidden = card.hidden;
      });
      output.value = `${cards.filter((card) => !card.hidden).length} of ${cards.length} screenshots with differences`;
    };
    const list = make('section', {class: 'overviewed wall', 'aria-label': 'Screenshots with differences'},
      make('form', {class: 'filters', role: 'search', 'aria-label': 'Filter screenshots', submit: (event) => event.preventDefault()},
        make('label', {}, 'Find ', search), output), make('ul', {class: 'cards'}, ...cards));
    // Who reviews one run came for its comparison; of many results the list is what leads to each.
    const result = pictures[0].closest('.result');
    if (result) result.before(list);
    else pictures.at(-1).after(list);
    filter();
    return search;
  };

  // A command is selected by a click, and copied where the browser lets a page do that.
  const copy = (code, button) => {
    getSelection().selectAllChildren(code);
    navigator.clipboard?.writeText(code.textContent).then(() => { button.textContent = 'Copied'; }, () => {});
  };

  const start = () => {
    for (const code of all('.command code')) {
      const button = make('button', {type: 'button', click: () => copy(code, button)}, 'Copy');
      code.after(' ', button);
    }
    const pictures = all('.picture');
    if (!pictures.length) return;
    const viewer = look.makeViewer();
    const chooses = pictures.map((picture, index) => {
      picture.id ||= `d${index + 1}`;
      picture.tabIndex = -1;
      return equip(picture, viewer);
    });
    const search = pictures.length > 1 ? overview(pictures) : null;
    let at = -1;
    const go = (by) => {
      const shown = pictures.filter((picture) => !picture.hidden);
      const held = shown.indexOf(pictures[at]);
      const next = shown[Math.min(shown.length - 1, Math.max(0, held < 0 ? 0 : held + by))];
      if (!next) return false;
      at = pictures.indexOf(next);
      next.focus();
      next.scrollIntoView();
      return true;
    };
    const keys = {j: () => go(1), k: () => go(-1), '/': () => { search?.focus(); return Boolean(search); }};
    for (const index of modes.keys()) keys[index + 1] = () => { chooses[Math.max(0, at)](index); return true; };
    look.bindKeys(keys);
  };

  return {shares, split, start};
})();
