'use strict';
// Shows the frame that the sliders choose, and what its marks answer. All numbers are the program's own: this
// script picks them, and writes out how each follows from others. A page of its own is `root` itself; in a lecture
// each picture is a shadow tree, which leaves the address and the title alone.
const explore = (root) => {
  const isPage = root === document;
  let page;  // what the script finds beside the pictures; a live page brings it anew with every frame
  const languages = ['ja', 'en'].filter((code) => root.querySelector(`svg[lang="${code}"]`));
  const language = () => languages.find((code) => root.getElementById(code).checked);
  const calm = matchMedia('(prefers-reduced-motion: reduce)');

  // --- The frame: a place on every slider, those of the first changing fastest

  let places = [];
  const frame = () => places.reduceRight((sum, place, i) => sum * page.sliders[i].values.length + place, 0);

  /** What the series of that number has in this frame. */
  const now = (number) => {
    const series = page.series[number];
    if (Array.isArray(series)) return series[frame() % series.length];
    return series.slow ? series.slow[places[1]] : series.of[series.at[frame()]];
  };

  // --- Pictures

  const svgElement = (name, attributes) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };

  /** One of "12", "12 640", "12 640 -30", "12 translate(...)" and "M...". */
  const letter = (piece) => {
    if (piece.startsWith('M')) return svgElement('path', { d: piece });
    const [glyph, ...place] = piece.split(' ');
    const use = svgElement('use', { href: `#g${glyph}` });
    if (piece.includes('translate')) use.setAttribute('transform', place.join(' '));
    else ['x', 'y'].slice(0, place.length).forEach((axis, i) => use.setAttribute(axis, place[i]));
    return use;
  };

  /** The letters of a label, twice where it has a rim: behind them, and without it. */
  const setLetters = (group, code) => {
    const letters = code === '' ? [] : code.split(';').map(letter);
    const rim = group.getAttribute('stroke');
    if (!rim || rim === 'none') return group.replaceChildren(...letters);
    const behind = svgElement('g', {});
    const before = svgElement('g', { stroke: 'none' });
    behind.append(...letters.map((one) => one.cloneNode()));
    before.append(...letters);
    group.replaceChildren(behind, before);
  };

  const set = (element, attribute, value) => {
    if (attribute === 'letters') setLetters(element, typeof value === 'number' ? page.letters[value] : '');
    else element.setAttribute(attribute, typeof value === 'number' ? `var(--c${value})` : value);
  };

  const pictures = {};
  const readFrame = () => {
    page = JSON.parse(root.getElementById('page').textContent);
    if (places.length !== page.sliders.length) places = page.sliders.map(() => 0);
    for (const code of languages) {
      const svg = root.querySelector(`svg[lang="${code}"]`);
      const elements = [...svg.children];
      const marks = elements.filter((element) => element.dataset.at);
      const lights = svgElement('g', { class: 'lights' });
      svg.append(lights);
      pictures[code] = { svg, elements, marks, lights };
    }
  };
  const shown = () => pictures[language()];

  const isVisible = (element) => element.getAttribute('display') !== 'none';

  const draw = () => {
    const { svg, elements } = shown();
    for (const [element, attribute, number] of page.pictures[language()]) set(elements[element], attribute, now(number));
    const [title, description] = page.words[language()];
    svg.setAttribute('aria-label', now(title));
    root.getElementById(`description-${language()}`).textContent = now(description);
  };

  // --- Numbers and arrays

  const written = (number) => {
    if (typeof number !== 'number') return { nan: 'NaN', inf: '∞', '-inf': '−∞' }[number];
    const digits = Number(number.toPrecision(4));
    const [factor, power] = String(digits).split('e');
    const raised = (power || '').replace(/[-0-9]/g, (sign) => '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'['-0123456789'.indexOf(sign)]).replace('+', '');
    return factor.replace('-', '−') + (power ? ` × 10${raised}` : '');
  };
  const inBrackets = (number) => (/^[−]|×/.test(written(number)) ? `(${written(number)})` : written(number));
  const number = (value) => (typeof value === 'number' ? value : { nan: NaN, inf: Infinity, '-inf': -Infinity }[value]);

  const unpacked = new Map();

  /** Of a list, or of many values in base64: three upper bytes of a 32-bit float each. */
  const valueAt = (values, place) => {
    if (typeof values !== 'string') return values[place];
    if (!unpacked.has(values)) unpacked.set(values, Uint8Array.from(atob(values), (letter) => letter.charCodeAt(0)));
    const bytes = unpacked.get(values);
    const view = new DataView(new ArrayBuffer(4));
    [0, 1, 2].forEach((i) => view.setUint8(i + 1, bytes[3 * place + i]));
    const value = view.getFloat32(0, true);
    return Number.isFinite(value) ? value : { NaN: 'nan', Infinity: 'inf', '-Infinity': '-inf' }[value];
  };

  const arrayOf = (name) => now(page.stages[name].array);

  /** The place of an element along every axis, and back; an axis of length 1 is repeated. */
  const indexAt = (flat, shape) => shape.reduceRight((index, length) => {
    index.unshift(flat % length);
    flat = Math.floor(flat / length);
    return index;
  }, []);
  const flatOf = (index, shape) => shape.reduce((flat, length, axis) => {
    const place = index[index.length - shape.length + axis] || 0;
    return flat * length + (length === 1 ? 0 : place);
  }, 0);

  const nameOf = (name, index) => `${name}[${index.join(', ')}]`;

  /** Those written out: the first three and the last. */
  const elided = (texts, between) => (texts.length <= 5 ? texts : [...texts.slice(0, 3), '⋯', texts[texts.length - 1]]).join(between);

  // --- Arithmetic

  /** The elements of an operand that went into one number: their flat places. */
  const rowOf = (name, index) => {
    const { shape } = arrayOf(name);
    const width = shape[shape.length - 1];
    const first = flatOf([...index.slice(0, -1), 0], shape);
    return Array.from({ length: width }, (_, k) => first + k);
  };
  const columnOf = (name, index) => {
    const { shape } = arrayOf(name);
    const rows = shape[shape.length - 2];
    return Array.from({ length: rows }, (_, k) => flatOf([...index.slice(0, -2), k, index[index.length - 1]], shape));
  };

  /** The two factors of a sum of products, for the element of the product at `index`. */
  const factorsOf = (stage, index) => {
    const [left, right] = stage.operands;
    const isVector = (name) => arrayOf(name).shape.length === 1;
    const column = index[index.length - 1];
    const before = index.slice(0, -2);
    const row = index[index.length - 2] || 0;
    const lefts = isVector(left) ? rowOf(left, [0]) : isVector(right) ? rowOf(left, [...index, 0]) : rowOf(left, [...before, row, 0]);
    const rights = isVector(right) ? rowOf(right, [0])
      : stage.operation === 'product' ? columnOf(right, [...before, 0, column]) : rowOf(right, [...before, column, 0]);
    return [{ name: left, flats: lefts }, { name: right, flats: rights }];
  };

  const valuesOf = ({ name, flats }) => flats.map((flat) => arrayOf(name).data[flat]);

  /** "query[0, :]" of a row, "value[:, 2]" of a column. */
  const sliceName = ({ name, flats }) => {
    const { shape } = arrayOf(name);
    const [first, last] = [flats[0], flats[flats.length - 1]].map((flat) => indexAt(flat, shape));
    const byRow = flats.length < 2 || flats[1] === flats[0] + 1;
    return nameOf(name, first.map((place, axis) => (axis === shape.length - (byRow ? 1 : 2) ? ':' : last[axis] === place ? place : ':')));
  };

  const functions = {
    exp: (x) => `exp(${x})`,
    tanh: (x) => `tanh(${x})`,
    relu: (x) => `max(0, ${x})`,
  };

  /** Adds a line per stage, and what went into it, from this element back to the factors of a product. */
  const explain = (name, index, lines, sources) => {
    const stage = page.stages[name];
    if (!stage || !stage.operation || !stage.operands.every((operand) => page.stages[operand])) return;
    const { shape, data } = arrayOf(name);
    const result = written(data[flatOf(index, shape)]);
    const say = (...parts) => lines.push(`${nameOf(name, index)} = ${[...parts, result].join(' ≈ ')}`);
    const operands = stage.operands.map((operand) => {
      const array = arrayOf(operand);
      const flat = flatOf(index, array.shape);
      return { name: operand, index: indexAt(flat, array.shape), flats: [flat], value: array.data[flat] };
    });
    const [one, other] = operands;
    const follow = () => operands.forEach((operand) => {
      sources.push(operand);
      explain(operand.name, operand.index, lines, sources);
    });
    if (stage.operation.startsWith('product')) {
      const factors = factorsOf(stage, index);
      const [left, right] = factors.map(valuesOf);
      const terms = left.map((value, k) => `${k === 0 ? written(value) : inBrackets(value)} · ${inBrackets(right[k])}`);
      say(`${sliceName(factors[0])} · ${sliceName(factors[1])}`, elided(terms, ' + '));
      sources.push(...factors);
    } else if (stage.operation === 'softmax') {
      const row = { name: one.name, flats: rowOf(one.name, index) };
      const scores = valuesOf(row).map(number);
      const largest = Math.max(...scores);
      const sum = scores.reduce((total, score) => total + Math.exp(score - largest), 0);
      const exponent = `exp(${written(one.value)} − ${inBrackets(largest)})`;
      say(`exp(${nameOf(one.name, one.index)} − m) / Σ exp(${sliceName(row)} − m)`, `${exponent} / ${written(sum)}`);
      lines.push(`m = max(${sliceName(row)}) ≈ ${written(largest)}`);
      sources.push(row);
      explain(one.name, one.index, lines, sources);
    } else if (stage.operation === 'scaled' && now(stage.factor) === 1) {
      say(nameOf(one.name, one.index));
      follow();
    } else if (stage.operation === 'scaled') {
      const factor = now(stage.factor);
      say(`${written(factor)} · ${nameOf(one.name, one.index)}`, `${written(factor)} · ${inBrackets(one.value)}`);
      follow();
    } else if (stage.operation === 'sum' || stage.operation === 'difference') {
      const sign = stage.operation === 'sum' ? '+' : '−';
      say(`${nameOf(one.name, one.index)} ${sign} ${nameOf(other.name, other.index)}`,
        `${written(one.value)} ${sign} ${inBrackets(other.value)}`);
      follow();
    } else {
      const apply = functions[stage.operation];
      say(apply(nameOf(one.name, one.index)), apply(written(one.value)));
      follow();
    }
  };

  // --- What a mark answers

  const atOf = (mark) => mark.dataset.at.split(' ').map(Number);

  /** The value of a mark, and where it stands in the stage that its grid shows. */
  const readingOf = ([gridNumber, row, column]) => {
    const grid = page.grids[gridNumber];
    const columns = now(grid.columns);
    const [rows, names] = grid.names[language()].map(now);
    const place = [rows[row], names[column]].filter((name) => name !== undefined);
    if (!grid.stage) {
      const label = place.length > 0 ? place.join(', ') : nameOf(grid.id, rows.length > 0 ? [row, column] : [column]);
      return { label, value: valueAt(now(grid.values), row * columns + column) };
    }
    const { shape, data } = arrayOf(grid.stage);
    const flat = (now(grid.row) + row) * columns + column;
    const index = indexAt(flat, shape);
    return { label: place.length > 0 ? place.join(', ') : nameOf(grid.stage, index), value: data[flat], stage: grid.stage, index };
  };

  const boxAround = (elements, name) => {
    const boxes = elements.filter(isVisible).map((element) => element.getBBox());
    if (boxes.length === 0) return [];
    const x = Math.min(...boxes.map((box) => box.x));
    const y = Math.min(...boxes.map((box) => box.y));
    const width = Math.max(...boxes.map((box) => box.x + box.width)) - x;
    const height = Math.max(...boxes.map((box) => box.y + box.height)) - y;
    return [svgElement('rect', { x, y, width, height, rx: 2, class: name })];
  };

  /** The marks that show one of these elements of a stage. */
  const marksOf = ({ name, flats }) => {
    const wanted = new Set(flats);
    return shown().marks.filter((mark) => {
      const [gridNumber, row, column] = atOf(mark);
      const grid = page.grids[gridNumber];
      return grid.stage === name && wanted.has((now(grid.row) + row) * now(grid.columns) + column);
    });
  };

  /** The pixel of a raster, as an element that is like a mark. */
  const pixelAt = (at) => {
    const [grid, row, column] = at.split(' ').map(Number);
    const image = [...shown().svg.querySelectorAll(`image[data-grid="${grid}"]`)].find(isVisible);
    const columns = image ? now(page.grids[grid].columns) : 0;
    const rows = now(page.grids[grid]?.rows ?? 0);
    if (!image || !(row < rows && column < columns)) return undefined;
    const { x, y, width, height } = image.getBBox();
    const pixel = svgElement('rect', { x: x + (column * width) / columns, y: y + (row * height) / rows, width: width / columns, height: height / rows, fill: 'none', 'data-at': at });
    shown().lights.append(pixel);
    return pixel;
  };

  const light = (mark, sources) => {
    const [grid, row, column] = atOf(mark);
    const like = (test) => shown().marks.filter((one) => {
      const at = atOf(one);
      return at[0] === grid && test(at);
    });
    const lights = [];
    if (page.grids[grid].names[language()].map(now)[0].length > 0) {
      lights.push(...boxAround(like((at) => at[1] === row), 'band'), ...boxAround(like((at) => at[2] === column), 'band'));
    }
    for (const source of sources) lights.push(...boxAround(marksOf(source), 'source'));
    lights.push(...boxAround([mark], 'mark'));
    shown().lights.replaceChildren(...lights);
  };

  const paragraph = (text) => Object.assign(document.createElement('p'), { textContent: text });
  const answerBox = root.getElementById('answer');

  let pointed = '';  // the mark under the pointer or in focus, as its data-at
  let fixed = '';    // the one that a click fixed

  const answer = () => {
    const at = fixed || pointed;
    shown().lights.replaceChildren();
    const mark = shown().marks.find((one) => one.dataset.at === at && isVisible(one)) || (at && pixelAt(at));
    if (!mark) return answerBox.replaceChildren();
    const reading = readingOf(atOf(mark));
    const lines = [];
    const sources = [];
    if (reading.stage) explain(reading.stage, reading.index, lines, sources);
    answerBox.replaceChildren(...[`${reading.label}: ${written(reading.value)}`, ...lines].map(paragraph));
    light(mark, sources);
  };

  const mostNamed = 1000;  // marks that are named in every frame; of more, each is when it gets the focus

  const nameMark = (mark) => {
    const reading = readingOf(atOf(mark));
    mark.setAttribute('role', 'button');
    mark.setAttribute('aria-label', `${reading.label}: ${written(reading.value)}`);
    mark.setAttribute('aria-pressed', String(mark.dataset.at === fixed));
  };

  /** One mark of a picture is reached by Tab, its neighbours by arrows; each says its value. */
  const nameMarks = () => {
    const visible = shown().marks.filter(isVisible);
    const chosen = visible.find((mark) => mark === root.activeElement)
      || visible.find((mark) => mark.dataset.at === (fixed || pointed)) || visible[0];
    if (!chosen) return;
    for (const mark of shown().svg.querySelectorAll('[tabindex]')) if (mark !== chosen) mark.removeAttribute('tabindex');
    chosen.setAttribute('tabindex', '0');
    (visible.length <= mostNamed ? visible : [chosen]).forEach(nameMark);
  };

  // --- The address: #query-angle=40&count=5&mark=0.2.5&lang=en

  let address = '';  // as it was written last
  let writing = 0;

  /** Once the reader has paused: browsers refuse addresses that change all the time. */
  const writeAddress = () => {
    if (!isPage) return;
    clearTimeout(writing);
    writing = setTimeout(() => {
      const state = page.sliders.map(({ name, values }, i) => [name, values[places[i]]]);
      if (fixed) state.push(['mark', fixed.replaceAll(' ', '.')]);
      state.push(['lang', language()]);
      address = `#${state.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')}`;
      if (address !== location.hash) location.replace(address);
    }, 200);
  };

  const decoded = (text) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return '';
    }
  };

  const readAddress = () => {
    if (!isPage) return;
    const state = new Map(location.hash.slice(1).split('&').map((pair) => pair.split('=').map(decoded)));
    page.sliders.forEach(({ name, values }, i) => {
      const place = values.indexOf(state.get(name));
      if (place >= 0) places[i] = place;
    });
    fixed = (state.get('mark') || '').replaceAll('.', ' ');
    if (languages.includes(state.get('lang'))) root.getElementById(state.get('lang')).checked = true;
  };

  // --- Controls

  const inputs = [...root.querySelectorAll('.slider input')];
  let active = 0;  // the slider that was moved last: it plays

  const show = () => {
    page.sliders.forEach(({ values }, i) => {
      const value = values[places[i]].replace(/(^|[,:])-/g, '$1−');
      inputs[i].value = places[i];
      inputs[i].setAttribute('aria-valuetext', value);
      root.querySelector(`output[for="slider-${i}"]`).textContent = value;
    });
    if (isPage) {
      document.documentElement.lang = language();
      document.title = root.querySelector(`h1[lang="${language()}"]`).textContent;
    }
    draw();
    nameMarks();
    answer();
  };

  const move = (slider, place) => {
    if (!inputs[slider]) return;
    active = slider;
    places[slider] = Math.min(Math.max(place, 0), page.sliders[slider].values.length - 1);
    show();
  };

  const playButton = root.getElementById('play');  // none where there are no sliders
  let timer = 0;
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    playButton?.setAttribute('aria-pressed', 'false');
    answerBox.setAttribute('aria-live', 'polite');
    writeAddress();
  };
  const play = () => {
    timer = setInterval(() => move(active, (places[active] + 1) % page.sliders[active].values.length), calm.matches ? 1500 : 150);
    playButton.setAttribute('aria-pressed', 'true');
    answerBox.setAttribute('aria-live', 'off');
  };
  const togglePlaying = () => (timer ? stop() : play());
  const moveByHand = (slider, place) => {
    move(slider, place);
    stop();
  };

  inputs.forEach((input, i) => input.addEventListener('input', () => moveByHand(i, Number(input.value))));
  playButton?.addEventListener('click', togglePlaying);
  for (const button of root.querySelectorAll('.step')) {
    const slider = Number(button.dataset.slider);
    button.addEventListener('click', () => moveByHand(slider, places[slider] + Number(button.dataset.by)));
  }
  for (const code of languages) {
    root.getElementById(code).addEventListener('change', () => {
      show();
      writeAddress();
    });
  }

  // --- Marks under the pointer, a finger or the keyboard

  const fix = (at) => {
    fixed = fixed === at ? '' : at;
    nameMarks();
    answer();
    writeAddress();
  };

  const pointAt = (at) => {
    pointed = at;
    answer();
  };

  const neighbours = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  const focusNeighbour = (mark, [down, right]) => {
    const [grid, row, column] = atOf(mark);
    const next = shown().marks.find((one) => one.dataset.at === `${grid} ${row + down} ${column + right}` && isVisible(one));
    if (!next) return;
    nameMark(next);
    next.setAttribute('tabindex', '-1');
    next.focus();
  };

  const picture = root.getElementById('picture');
  const under = (event) => {
    const part = event.target.closest('[data-at], [data-of], [data-grid]');
    if (!part || !part.dataset.grid) return part ? part.dataset.at || part.dataset.of : '';
    const grid = page.grids[part.dataset.grid];
    const { left, top, width, height } = part.getBoundingClientRect();
    const place = (share, count) => Math.min(Math.max(Math.floor(share * count), 0), count - 1);
    return [part.dataset.grid, place((event.clientY - top) / height, now(grid.rows)), place((event.clientX - left) / width, now(grid.columns))].join(' ');
  };
  picture.addEventListener('pointerover', (event) => pointAt(under(event)));
  picture.addEventListener('pointermove', (event) => {
    if (event.target.dataset.grid) pointAt(under(event));
  });
  picture.addEventListener('pointerleave', () => pointAt(''));
  picture.addEventListener('focusin', (event) => pointAt(under(event)));
  picture.addEventListener('focusout', () => pointAt(''));
  picture.addEventListener('click', (event) => {
    if (under(event) || fixed) fix(under(event) || fixed);
  });
  let from = null;  // where a finger touched the picture: a swipe steps the slider
  picture.addEventListener('touchstart', (event) => { from = event.touches.length === 1 ? event.touches[0].clientX : null; }, { passive: true });
  picture.addEventListener('touchend', (event) => {
    const by = from === null ? 0 : event.changedTouches[0].clientX - from;
    if (Math.abs(by) > 40) moveByHand(active, places[active] + Math.sign(by));
  });

  root.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const mark = event.target.closest('[data-at]');
    const isControl = event.target.closest('input, select, button, a, summary');
    const last = page.sliders.length - 1;
    if (mark && neighbours[event.key]) focusNeighbour(mark, neighbours[event.key]);
    else if (mark && (event.key === 'Enter' || event.key === ' ')) fix(mark.dataset.at);
    else if (inputs.length > 0 && event.key === ' ' && !event.target.closest('button, input[type="radio"]')) togglePlaying();
    else if (isControl) return;
    else if (event.key === 'Escape' && fixed) fix(fixed);
    else if (inputs.length === 0) return;
    else if (event.key === 'ArrowLeft') moveByHand(0, places[0] - 1);
    else if (event.key === 'ArrowRight') moveByHand(0, places[0] + 1);
    else if (event.key === 'ArrowDown') moveByHand(last, places[last] - 1);
    else if (event.key === 'ArrowUp') moveByHand(last, places[last] + 1);
    else if (event.key === 'Home') moveByHand(active, 0);
    else if (event.key === 'End') moveByHand(active, Infinity);
    else return;
    event.preventDefault();
  });

  addEventListener('hashchange', () => {
    if (!isPage || location.hash === address) return;
    readAddress();
    show();
  });

  root.addEventListener('frame', () => {
    readFrame();
    show();
  });

  root.getElementById('controls')?.removeAttribute('hidden');
  readFrame();
  readAddress();
  show();
};

if (document.getElementById('page')) explore(document);
for (const host of document.querySelectorAll('.explorable')) explore(host.shadowRoot);
