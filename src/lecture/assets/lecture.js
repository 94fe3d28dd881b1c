// The lecture as a talk, full screen: a deck, as `attnlab build --to pptx` makes one. Prose stays on the page.
(() => {
  const japanese = document.documentElement.lang === 'ja';
  const sections = [...document.querySelectorAll('main > section:not(.answers)')];

  /** A place is what is shown at once: the first figure below a heading with its formula, every step of several
   *  figures, what moves, a question, its answer, a short list or table, and what is marked as a slide. */
  const placesOf = (section) => {
    const found = [];
    const blocks = [...section.children].filter((block) => !block.matches('h2, .break, [id^="list."]'));
    let formula = null;
    let figure = null; // the last place below this heading
    blocks.forEach((block) => {
      const add = (enter = () => {}, ...parts) => found.push({ shown: [block, ...parts], enter });
      const steps = [...block.querySelectorAll(':scope > input[type="radio"]')];
      const answer = block.matches('.question') && block.querySelector('details');
      if (block.matches('.text') && block.querySelector('h3, h4, h5, h6')) [formula, figure] = [null, null];
      if (block.matches('.equation')) {
        if (!figure) formula = block;
        else if (!formula) { formula = block; figure.shown.push(block); }
      } else if (block.matches('figure:not(.page), .steps:not(:has(.page)), .moving')) {
        if (steps.length > 0) steps.forEach((step) => add(() => { step.checked = true; }));
        else add();
        figure = found[found.length - Math.max(steps.length, 1)];
        if (formula) figure.shown.push(formula);
      } else if (answer) [false, true].forEach((open) => add(() => { answer.open = open; }));
      else if (block.matches('.slide')) add();
      else if (block.matches('.text, .report')) {
        [...block.children].filter((part) => part.matches('ul, ol, .scroll') && part.querySelectorAll('li, tbody tr').length <= 6)
          .forEach((part) => add(() => {}, part));
      }
    });
    return found.length > 0 || blocks.length === 0 ? found : [{ shown: [blocks[0], ...blocks[0].children], enter: () => {} }];
  };
  const places = sections.flatMap(placesOf);
  if (places.length === 0) return;

  const body = document.body;
  const bar = document.createElement('p');
  bar.id = 'bar';
  bar.setAttribute('aria-live', 'polite');
  const number = bar.appendChild(document.createElement('span'));
  const clock = bar.appendChild(document.createElement('span'));
  clock.setAttribute('aria-live', 'off');
  let at = 0;
  let began = 0;
  let ticking = 0;
  const presenting = () => body.classList.contains('presenting');

  const tick = () => {
    const minutes = Math.floor((Date.now() - began) / 60000);
    clock.textContent = `${new Date().toTimeString().slice(0, 5)} (${minutes} ${japanese ? '分' : 'min'})`;
  };

  const go = (place) => {
    at = Math.min(Math.max(place, 0), places.length - 1);
    document.querySelectorAll('main .now').forEach((one) => one.classList.remove('now'));
    places[at].enter();
    const { shown } = places[at];
    [...shown, shown[0].parentElement].forEach((one) => one.classList.add('now'));
    number.textContent = `${at + 1} / ${places.length}`;
    window.scrollTo(0, 0);
  };

  const begin = () => {
    const seen = places.findIndex(({ shown }) => shown[0].getBoundingClientRect().bottom > 0);
    body.classList.add('presenting');
    began = Date.now();
    ticking = setInterval(tick, 1000);
    tick();
    go(seen);
    if (document.documentElement.requestFullscreen) document.documentElement.requestFullscreen().catch(() => {});
  };

  const end = () => {
    body.classList.remove('presenting', 'blank');
    clearInterval(ticking);
    if (document.fullscreenElement) document.exitFullscreen();
    places[at].shown[0].scrollIntoView();
  };

  /** A class guesses first: no answer is shown until H is pressed once more. */
  const hide = () => {
    body.classList.toggle('unanswered');
    document.dispatchEvent(new Event('answers'));
  };

  const keys = {
    ArrowRight: () => go(at + 1), ArrowDown: () => go(at + 1), PageDown: () => go(at + 1), ' ': () => go(at + 1),
    ArrowLeft: () => go(at - 1), ArrowUp: () => go(at - 1), PageUp: () => go(at - 1),
    Home: () => go(0), End: () => go(places.length - 1),
    h: hide,
    b: () => body.classList.toggle('blank'), '.': () => body.classList.toggle('blank'),
    Escape: end, p: end,
  };

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // What is moved on the page keeps its keys.
    const inner = event.composedPath()[0];
    if (inner !== body && inner.matches && inner.matches('input:not([type="radio"]), select, textarea')) return;
    if (!presenting()) {
      if (event.key === 'p') begin();
      if (event.key === 'h') hide();
      return;
    }
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  document.addEventListener('fullscreenchange', () => { if (!document.fullscreenElement && presenting()) end(); });

  const buttons = document.createElement('p');
  buttons.id = 'present';
  const add = (act, name, title) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = name;
    button.title = title;
    button.addEventListener('click', act);
    buttons.append(button, ' ');
  };
  if (japanese) {
    add(begin, '発表する（P）', '全画面で 1 ブロックずつ。← → で動き、B で画面を消し、Esc で終わる');
    if (document.querySelector('.question')) add(hide, '答えを隠す・見せる（H）', '教室で先に予想するとき');
  } else {
    add(begin, 'Present (P)', 'Full screen, one block at a time: arrow keys, B for a blank screen, Esc to end');
    if (document.querySelector('.question')) add(hide, 'Hide or show answers (H)', 'For a class that guesses first');
  }
  document.querySelector('nav').before(buttons);
  body.append(bar);
})();
