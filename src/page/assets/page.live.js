// Of a live page: sends what the controls say to the program that serves it, and shows the picture that comes back.
{
  const form = document.getElementById('parameters');
  const figure = document.getElementById('figure');
  const fields = [...form.elements].filter((field) => field.name);
  const trackOf = (field) => form.querySelector(`[data-of="${field.id}"]`);
  const valueOf = (field) => (field.type !== 'checkbox' ? field.value.trim() : field.checked ? 'on' : 'off');

  const languages = ['ja', 'en'].map((code) => document.getElementById(code));
  const language = () => languages.find((one) => one.checked).id;

  const picture = document.getElementById('picture');
  const shownPicture = () => picture.querySelector(`svg[lang="${language()}"]`);
  const isWide = () => shownPicture()?.matches('.wide') && parseFloat(getComputedStyle(shownPicture()).minWidth) <= picture.clientWidth;

  /** What is not as the program would have it anyway, and in which language and for which width the picture is wanted. */
  const request = () => {
    const changed = fields.filter((field) => valueOf(field) !== '' && valueOf(field) !== field.dataset.default);
    return { figure: figure.value, language: language(), width: picture.clientWidth, parameters: Object.fromEntries(changed.map((field) => [field.name, valueOf(field)])) };
  };

  const key = `values of ${location.pathname}`;

  // --- What the program says

  const say = (id, texts) => {
    const paragraphs = texts.flatMap((text) => ['ja', 'en'].map((lang) => Object.assign(document.createElement('p'), { lang, textContent: text[lang] })));
    document.getElementById(id).replaceChildren(...paragraphs);
  };
  const gone = { ja: 'attnlab は終了しています。もう一度 attnlab explore を実行してください。', en: 'attnlab has ended; run attnlab explore again.' };

  const showFrame = (answer) => {
    const option = (name) => new Option(name, name, false, name === answer.figure);
    figure.replaceChildren(...answer.figures.map(option));
    picture.innerHTML = answer.picture;  // the program's own markup: words in it are escaped
    document.getElementById('command').textContent = answer.command;
    say('refusal', []);
    say('remarks', answer.warnings);
    document.dispatchEvent(new Event('frame'));
  };

  const post = (address, signal) => fetch(address, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(request()), signal,
  });

  // --- One frame after the other, the newest values next

  const patience = 400;  // milliseconds until a frame that is still computed gives way to a newer one
  let running = null;
  let isWaiting = false;

  const ask = async () => {
    sessionStorage.setItem(key, JSON.stringify(request()));
    if (running && performance.now() - running.since < patience) {
      if (!isWaiting) setTimeout(() => { if (isWaiting) ask(); }, patience);
      isWaiting = true;
      return;
    }
    if (running) running.abort();
    isWaiting = false;
    const control = new AbortController();
    const mine = { since: performance.now(), abort: () => control.abort() };
    running = mine;
    try {
      const response = await post('frame', control.signal);
      const answer = await response.json();
      await explored;
      if (running !== mine) return;
      if (response.ok) showFrame(answer);
      else say('refusal', [answer]);
    } catch {
      if (running !== mine) return;
      say('refusal', [gone]);
    }
    running = null;
    if (isWaiting) ask();
  };

  // --- Controls

  const follow = (field) => {
    const track = trackOf(field);
    if (track) track.value = field.value || field.dataset.default;
  };

  form.addEventListener('input', (event) => {
    const moved = event.target.dataset.of;
    setPlaying(false);
    if (moved) {
      active = event.target;
      document.getElementById(moved).value = event.target.value;
    } else if (event.target.name) follow(event.target);
    ask();
  });

  document.addEventListener('choose', ({ detail: { name, value } }) => {
    const field = fields.find((one) => one.name === name);
    if (!field || field.value === value) return;
    field.value = value;
    follow(field);
    ask();
  });

  form.addEventListener('keydown', (event) => {
    const step = Number(event.target.dataset.step) * { ArrowUp: 1, ArrowDown: -1 }[event.key];
    const value = Number(event.target.value || event.target.dataset.default);
    if (!Number.isFinite(step) || !Number.isFinite(value)) return;
    event.target.value = Number((value + step).toPrecision(12));
    follow(event.target);
    event.preventDefault();
    ask();
  });

  // --- Playing: the track that was moved last, or the first, to its end and again from its beginning

  const playButton = document.getElementById('play');  // none where there is no track
  let active = form.querySelector('input[data-of]');
  const isPlaying = () => playButton?.getAttribute('aria-pressed') === 'true';
  const setPlaying = (plays) => {
    playButton?.setAttribute('aria-pressed', String(plays));
    document.getElementById('answer').setAttribute('aria-live', plays ? 'off' : 'polite');
  };
  let playing = 0;  // how often it began: one that was stopped does not go on beside the next
  const play = async () => {
    playing += 1;
    const mine = playing;
    const pause = 150;  // milliseconds
    while (isPlaying() && playing === mine) {
      const frames = 36;
      const steps = Math.max(Math.round((active.max - active.min) / active.step / frames), 1);
      if (Number(active.value) >= Number(active.max)) active.value = active.min;
      else active.stepUp(steps);
      document.getElementById(active.dataset.of).value = active.value;
      await Promise.all([ask(), new Promise((done) => setTimeout(done, pause))]);
    }
  };
  playButton?.addEventListener('click', () => {
    setPlaying(!isPlaying());
    play();
  });
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', () => setTimeout(() => {
    setPlaying(false);
    fields.forEach(follow);
    ask();
  }));

  for (const one of languages) one.addEventListener('change', ask);
  let width = picture.clientWidth;
  new ResizeObserver(() => {
    if (picture.clientWidth === width) return;
    width = picture.clientWidth;
    if (!isWide()) ask();
  }).observe(picture);

  const save = document.getElementById('save');
  save.addEventListener('click', async () => {
    save.disabled = true;
    try {
      const response = await post('page');
      if (response.ok) {
        const link = document.createElement('a');
        link.href = URL.createObjectURL(await response.blob());
        link.download = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition'))[1];
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 10000);
      } else say('refusal', [await response.json()]);
    } catch {
      say('refusal', [gone]);
    }
    save.disabled = false;
  });

  // --- As long as this stays open the page is there; where it was loaded again, it goes on with its values

  new EventSource('alive').addEventListener('error', () => say('refusal', [gone]));

  const before = JSON.parse(sessionStorage.getItem(key) || 'null');
  if (before) {
    for (const field of fields.filter(({ name }) => name in before.parameters)) {
      if (field.type === 'checkbox') field.checked = before.parameters[field.name] === 'on';
      else field.value = before.parameters[field.name];
      follow(field);
    }
    figure.value = before.figure;
  }
  explored.then(() => { if (before || !isWide()) ask(); });  // the address may choose the language
}
