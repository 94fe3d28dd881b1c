// Questions that are answered by touching a figure: a guess first, then what it was. Guesses stay on this device.
(() => {
  const japanese = document.documentElement.lang === 'ja';
  const said = (ja, en) => (japanese ? ja : en);

  const remembered = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
  const remember = (key, value) => {
    try {
      if (value === null) localStorage.removeItem(key); else localStorage.setItem(key, value);
    } catch { /* a page that may not keep anything */ }
  };

  document.querySelectorAll('.question[data-guess]').forEach((question, index) => {
    const { answer, range, mistakes } = JSON.parse(question.dataset.guess);
    const details = question.querySelector('details');
    const covers = [...question.querySelectorAll('.cover[data-choice]')];
    const key = `attnlab guess: ${document.title}: ${index}`;
    const near = range ? (range[1] - range[0]) / 20 : 0;
    const same = (one, other) => Math.abs(one - other) <= near + 1e-9;

    const line = (name) => {
      const paragraph = document.createElement('p');
      paragraph.className = name;
      details.before(paragraph);
      return paragraph;
    };
    const hint = line('hint');
    const verdict = line('verdict');
    verdict.setAttribute('role', 'status');

    const verdictOf = (guess) => {
      if (same(guess, answer)) return said('正解です。', 'Right.');
      const mistake = mistakes.find(([made]) => same(guess, made));
      if (mistake) return said(`よくある間違いの結果です：${mistake[1]}。`, `That is what a usual mistake gives: ${mistake[1]}.`);
      if (!range) return said('違います。', 'Not this one.');
      return guess > answer ? said('大きすぎます。', 'Too much.') : said('小さすぎます。', 'Too little.');
    };

    let guess = null;
    const again = document.createElement('button');
    again.type = 'button';
    again.textContent = said('もう一度予想する', 'Guess again');

    /** A hidden answer stays hidden: the guess alone is seen. */
    const show = () => {
      const guessed = guess !== null;
      const hidden = document.body.classList.contains('unanswered');
      hint.hidden = guessed;
      verdict.hidden = !guessed;
      verdict.textContent = '';
      covers.forEach((cover) => {
        const choice = Number(cover.dataset.choice);
        cover.classList.toggle('chosen', guessed && !range && choice === guess);
        cover.classList.toggle('right', guessed && !hidden && (Boolean(range) || choice === answer));
      });
      if (!guessed) return;
      verdict.append(hidden ? said('予想しました。', 'Guessed.') : verdictOf(guess), ' ', again);
      details.open = !hidden;
    };

    const choose = (value) => {
      guess = value;
      remember(key, value === null ? null : String(value));
      if (value === null) details.open = false;
      show();
    };
    again.addEventListener('click', () => choose(null));
    document.addEventListener('answers', show);

    if (range) {
      hint.textContent = said('隠れた数を予想してください：', 'Guess the covered number: ');
      const slider = document.createElement('input');
      slider.type = 'range';
      [slider.min, slider.max] = range;
      slider.step = (range[1] - range[0]) / 100;
      slider.value = range[0];
      const written = document.createElement('output');
      const write = () => { written.textContent = Number(slider.value).toFixed(2); };
      slider.setAttribute('aria-label', said('予想', 'Guess'));
      slider.addEventListener('input', write);
      write();
      const ready = document.createElement('button');
      ready.type = 'button';
      ready.textContent = said('これにする', 'This one');
      ready.addEventListener('click', () => choose(Number(slider.value)));
      hint.append(slider, ' ', written, ' ', ready);
    } else {
      hint.textContent = said('予想した所に触れてください。', 'Touch the one that you guess.');
      covers.forEach((cover) => {
        const take = () => choose(Number(cover.dataset.choice));
        cover.addEventListener('click', take);
        cover.addEventListener('keydown', (event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return;
          event.preventDefault();
          event.stopPropagation();
          take();
        });
      });
    }
    const before = remembered(key);
    if (before !== null && Number.isFinite(Number(before))) guess = Number(before);
    show();
  });
})();
