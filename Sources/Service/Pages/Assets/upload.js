// The form that has creatives rendered: files, folders, pasted text, or what an earlier run was of.
const upload = (() => {
  /** What a pasted text is: an address by itself, or markup of any kind. */
  const pastedKind = (text) => (/^https?:\/\/\S+$/i.test(text) ? 'url' : 'markup');

  const crcTable = Uint32Array.from({length: 256}, (_, index) => {
    let value = index;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value;
  });

  const crc = (bytes) => {
    let value = 0xffffffff;
    for (const byte of bytes) value = crcTable[(value ^ byte) & 255] ^ (value >>> 8);
    return (value ^ 0xffffffff) >>> 0;
  };

  /** The fields of a zip's header, each of two or four bytes, lowest first. */
  const header = (fields) => {
    const view = new DataView(new ArrayBuffer(fields.reduce((sum, [size]) => sum + size, 0)));
    let at = 0;
    for (const [size, value] of fields) {
      if (size === 2) view.setUint16(at, value, true);
      else view.setUint32(at, value, true);
      at += size;
    }
    return new Uint8Array(view.buffer);
  };

  /** Files with their paths as a zip, stored as they are: a folder travels as one file. */
  const zip = (files) => {
    const parts = [];
    const entries = [];
    let offset = 0;
    for (const {path, bytes} of files) {
      const name = new TextEncoder().encode(path);
      // UTF-8 names, no compression, the first day that a zip knows.
      const common = [[2, 20], [2, 0x800], [2, 0], [2, 0], [2, 33], [4, crc(bytes)], [4, bytes.length], [4, bytes.length],
        [2, name.length], [2, 0]];
      const local = header([[4, 0x04034b50], ...common]);
      entries.push(header([[4, 0x02014b50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]]), name);
      parts.push(local, name, bytes);
      offset += local.length + name.length + bytes.length;
    }
    const size = entries.reduce((sum, part) => sum + part.length, 0);
    const end = header([[4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, size], [4, offset], [2, 0]]);
    return new Blob([...parts, ...entries, end], {type: 'application/zip'});
  };

  /** All entries of a dropped folder; a browser gives them a hundred at a time. */
  const entriesOf = async (folder) => {
    const reader = folder.createReader();
    const found = [];
    for (;;) {
      const some = await new Promise((resolve, reject) => { reader.readEntries(resolve, reject); });
      if (!some.length) return found;
      found.push(...some);
    }
  };

  const filesBelow = async (folder, path = '') => {
    const found = [];
    for (const entry of await entriesOf(folder)) {
      if (entry.isDirectory) found.push(...await filesBelow(entry, `${path}${entry.name}/`));
      else {
        const file = await new Promise((resolve, reject) => { entry.file(resolve, reject); });
        found.push({path: path + entry.name, bytes: new Uint8Array(await file.arrayBuffer())});
      }
    }
    return found;
  };

  /** What was dropped: files as they are, folders as zips. */
  const dropped = async (transfer) => {
    const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.());
    const files = [...transfer.files];
    const found = [];
    for (const [index, file] of files.entries()) {
      const entry = entries[index];
      if (entry?.isDirectory) found.push(new File([zip(await filesBelow(entry))], `${entry.name}.zip`));
      else found.push(file);
    }
    return found;
  };

  const checked = (form, name) => look.all(`input[name=${name}]:checked`, form).map((box) => box.value);

  /** The creatives that the form is about, each as what its field is called and holds. */
  const creatives = (form, files) => {
    if (form.elements.again) return [['again', form.elements.again.value]];
    const found = [...files].map((file) => ['creative', file]);
    const pasted = form.elements.pasted.value.trim();
    return pasted ? [...found, [pastedKind(pasted), pasted]] : found;
  };

  /** One request: a creative on a device, with all that the form says besides. */
  const request = (form, [kind, content], device) => {
    const data = new FormData();
    if (kind === 'creative') data.append(kind, content, content.name);
    else data.append(kind, content);
    if (device) data.append('device', device);
    // A playable runs in the containers of its networks.
    const isPlayable = form.elements.playables.checked;
    for (const name of ['name', 'placement', 'size', 'container', 'filmstrip', 'labels', 'scenario', 'networkProfile']) {
      const value = form.elements[name].value.trim();
      if (value && !(isPlayable && name === 'container')) data.append(name, value);
    }
    const profiles = checked(form, 'profile');
    if (profiles.length) data.append('profiles', profiles.join(','));
    data.append('checks', String(form.elements.checks.checked));
    data.append('explore', String(form.elements.explore.checked));
    if (isPlayable) data.append('playables', 'true');
    if (form.elements.record.checked) data.append('record', 'true');
    const [recording] = form.elements.recording.files;
    if (recording) data.append('recording', recording, recording.name);
    else if (form.elements.replay?.checked) data.append('replay', form.elements.replay.value);
    return data;
  };

  /** What tells one request from another, so that none is sent twice: its creative, device and settings. */
  const mark = (data) => JSON.stringify([...data].map(([name, value]) =>
    [name, typeof value === 'string' ? value : [value.name, value.size, value.lastModified]]));

  /** A key by which the server knows a request that comes again after its answer was lost. */
  const newKey = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

  const pause = (seconds) => new Promise((resolve) => { setTimeout(resolve, 1000 * seconds); });

  /** The most times that a server that has no room now is asked again. */
  const mostTries = 6;

  /** Sends one request; its run, or what went wrong, with the creatives of a zip that has several. */
  const sendOne = async (item) => {
    for (let tries = 1; ; tries += 1) {
      let response;
      try {
        response = await fetch('/v1/renders', {method: 'POST', body: item.data, headers: {'Idempotency-Key': item.key}});
      } catch {
        return {problem: 'the server is unreachable'};
      }
      if (response.ok) return {run: await response.json()};
      const after = Number(response.headers.get('Retry-After'));
      if (![429, 503].includes(response.status) || tries === mostTries || !(after >= 0 && after <= 60)) {
        const {detail, entries} = await problemDocument(response);
        return {problem: detail, entries};
      }
      await pause(Math.max(1, after));
    }
  };

  /** Settles whether a request has been accepted before. */
  const begin = (item, accepted) => {
    item.run = accepted.get(item.mark);
    item.fate = item.run ? 'before' : 'waiting';
    return item;
  };

  /** Keys of requests that may come again, by their marks. */
  const keys = new Map();
  const keyOf = (itsMark) => {
    if (!keys.has(itsMark)) keys.set(itsMark, newKey());
    return keys.get(itsMark);
  };

  /** The request for one creative of a zip that has several; a name that was given stays different for each. */
  const partOf = (item, entry) => {
    const data = new FormData();
    for (const [name, value] of item.data) data.append(name, value);
    if (data.has('name')) data.set('name', `${data.get('name')} ${entry}`);
    data.append('entry', entry);
    const itsMark = `${item.mark} ${entry}`;
    return {data, mark: itsMark, key: keyOf(itsMark), name: `${item.name}: ${entry}`};
  };

  /**
   * Sends each request that wasn't accepted before, whatever becomes of the others; `tell` hears of each change.
   *
   * A zip of several creatives becomes a request for each.
   */
  const sendAll = async (given, accepted, tell, sendItem = sendOne) => {
    const items = given.map((item) => begin(item, accepted));
    tell(items);
    for (let at = 0; at < items.length; at += 1) {
      const item = items[at];
      if (item.fate !== 'waiting') continue;
      item.fate = 'sending';
      tell(items);
      const {run, problem: reason, entries} = await sendItem(item);
      if (entries?.length && !item.data.has('entry')) {
        items.splice(at, 1, ...entries.map((entry) => begin(partOf(item, entry), accepted)));
        at -= 1;
      } else {
        if (run) accepted.set(item.mark, run);
        Object.assign(item, run ? {fate: 'accepted', run} : {fate: 'refused', reason});
      }
      tell(items);
    }
    return items;
  };

  const words = {waiting: 'waiting', sending: 'sending …', accepted: 'accepted', before: 'accepted earlier, not sent again'};

  const tellFates = (items) => {
    byId('fates').replaceChildren(...items.map((item) => look.make('li', {class: item.fate},
      item.run ? look.make('a', {href: `/renders/${item.run.id}`}, item.name) : item.name,
      item.fate === 'refused' ? `: refused: ${item.reason}` : `: ${words[item.fate]}`)));
  };

  /** Requests that were accepted on this page, by their marks. */
  const accepted = new Map();

  const itemsOf = (form, found) => {
    const devices = checked(form, 'device');
    return found.flatMap((creative) => (devices.length ? devices : [null]).map((device) => {
      const data = request(form, creative, device);
      const itsMark = mark(data);
      const name = creative[1].name || form.elements.name.value || (creative[0] === 'url' ? creative[1] : 'pasted text');
      return {data, mark: itsMark, key: keyOf(itsMark), name: devices.length > 1 ? `${name} for ${device}` : name};
    }));
  };

  const tellEnd = (items) => {
    const refused = items.filter((item) => item.fate === 'refused').length;
    const place = byId('upload-says');
    place.classList.toggle('refused', refused > 0);
    place.textContent = `${items.length - refused} of ${items.length} accepted, ${refused} refused. `
      + 'Fix the refused creatives and render again: accepted ones aren’t sent twice.';
    place.scrollIntoView({block: 'nearest'});
  };

  const submit = async (form, files) => {
    const found = creatives(form, files);
    if (!found.length) return say('upload-says', 'Drop or choose a creative, or paste its tag.');
    const button = form.querySelector('button.primary');
    if (button.disabled) return undefined;
    button.disabled = true;
    byId('upload-says').classList.remove('refused');
    say('upload-says', '');
    const items = await sendAll(itemsOf(form, found), accepted, tellFates);
    button.disabled = false;
    if (items.some((item) => item.fate === 'refused')) {
      tellEnd(items);
      return showRuns();
    }
    return location.assign(items.length === 1 ? `/renders/${items[0].run.id}` : '/');
  };

  /** Tells what is chosen in a closed list, so that nobody has to open it. */
  const tellChoice = (form, name, place, none) => {
    const tell = () => { byId(place).value = checked(form, name).join(', ') || none; };
    for (const box of look.all(`input[name=${name}]`, form)) box.addEventListener('change', tell);
    tell();
  };

  /** Fills the form in with what an earlier run was asked for. */
  const fill = (form, settings) => {
    for (const name of ['name', 'placement', 'size', 'container', 'scenario', 'networkProfile']) {
      if (typeof settings[name] === 'string') form.elements[name].value = settings[name];
    }
    form.elements.labels.value = Object.entries(settings.labels ?? {}).map((pair) => pair.join('=')).join(', ');
    if (settings.filmstrip) form.elements.filmstrip.value = settings.filmstrip.interval;
    form.elements.checks.checked = settings.checks === true;
    form.elements.explore.checked = Boolean(settings.explore);
    form.elements.playables.checked = settings.playables === true;
    if (typeof settings.device === 'string') {
      for (const box of look.all('input[name=device]', form)) box.checked = box.value === settings.device;
    }
    for (const box of look.all('input[name=profile]', form)) box.checked = (settings.profiles ?? []).includes(box.value);
    if (settings.scenario || settings.filmstrip || settings.labels || settings.networkProfile) byId('further').open = true;
  };

  const start = () => {
    const form = byId('upload');
    if (!form) return;
    if (form.dataset.settings) fill(form, JSON.parse(form.dataset.settings));
    tellChoice(form, 'device', 'devices-chosen', 'default');
    tellChoice(form, 'profile', 'profiles-chosen', 'default');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      submit(form, form.elements.creative?.files ?? []);
    });
    const drop = byId('drop');
    if (!drop) return;
    for (const name of ['dragenter', 'dragover']) {
      drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add('over'); });
    }
    for (const name of ['dragleave', 'drop']) drop.addEventListener(name, () => drop.classList.remove('over'));
    drop.addEventListener('drop', async (event) => {
      event.preventDefault();
      submit(form, await dropped(event.dataTransfer));
    });
  };

  return {pastedKind, crc, zip, mark, sendAll, start};
})();
