'use strict';
// Shows the frame that the sliders choose, and what its marks answer. All numbers are the program's own: this
// script picks them, and writes out how each follows from others. A page of its own is `root` itself; in a lecture
// each picture is a shadow tree, which leaves the address and the title alone;
// `found` is what stands beside the pictures.
const explore = (root, found) => {
  const isPage = root === document;
  let page;  // a live page brings it anew with every frame
  const languages = ['ja', 'en'];
  const wanted = () => languages.find((code) => root.getElementById(code).checked);
  /** The one that is wanted; where there is no picture in it (in a lecture; in a live page until it comes), the other. */
  const language = () => (picturesIn(wanted()).length > 0 ? wanted() : languages.find((code) => code !== wanted()));
  const calm = matchMedia('(prefers-reduced-motion: reduce)');

  // --- The frame: a place on every slider, those of the first changing fastest

  let places = [];
  const frame = () => places.reduceRight((sum, place, i) => sum * page.sliders[i].values.length + place, 0);

  /** What the series of that number has in this frame. */
  const now = (number) => {
    const series = page.series[number];
    if (series.of) return series.of[series.at[frame()]];
    return series.length === 1 ? series[0] : series[frame()];
  };

  // --- Pictures

  const svgElement = (name, attributes) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };

  /** The letters of a label, twice where it has a rim: behind them, and without it. */
  const setLetters = (group, letters) => {
    const rim = group.getAttribute('stroke');
    group.innerHTML = rim && rim !== 'none' ? `<g>${letters}</g><g stroke="none">${letters}</g>` : letters;
  };

  const set = (element, attribute, value) => {
    if (attribute === 'letters') setLetters(element, typeof value === 'number' ? page.letters[value] : '');
    else element.setAttribute(attribute, typeof value === 'number' ? `var(--c${value})` : value);
  };

  let pictures = [];  // in each language one for a wide window and one for a narrow one, or one of them
  const picturesIn = (code) => pictures.filter(({ svg }) => svg.getAttribute('lang') === code);
  let current;
  const shown = () => current;

  /** The one that the style sheet displays in the width that there is; whether it is another than before. */
  const choosePicture = () => {
    const before = current;
    const all = picturesIn(language());
    current = all.find(({ svg }) => getComputedStyle(svg).display !== 'none') || all[0];
    return current !== before;
  };

  const readFrame = (data) => {
    page = data;
    if (places.length !== page.sliders.length) places = page.sliders.map(({ place }) => place);
    pictures = [...root.querySelectorAll('svg[lang]')].map((svg) => {
      const elements = [...svg.children];
      const marks = elements.filter((element) => element.dataset.at);
      const surfaces = elements.filter((element) => element.dataset.grid);
      const lights = svgElement('g', { class: 'lights' });
      svg.append(lights);
      return { svg, key: svg.dataset.key, elements, marks, surfaces, lights, whole: svg.getAttribute('viewBox') };
    });
  };

  const isVisible = (element) => element.getAttribute('display') !== 'none' && getComputedStyle(element).visibility !== 'hidden';

  // --- Choices: a panel to be seen alone; a row that is framed in all maps, or a query and a head whose lines are left

  const chosen = { panel: '', row: '', head: '' };  // their places in the lists, '' for all panels or heads and for no row
  const choices = Object.keys(chosen).map((id) => root.getElementById(id)).filter((select) => select);

  /** The names of the rows of the first map; maps with the same names show the same rows. */
  const rowNames = (grid) => (grid.flat ? [] : now(grid.names[language()][0]));
  const rowsToChoose = () => page.grids.map(rowNames).find((names) => names.length > 1) || [];
  const headsToChoose = () => page.grids.filter(({ head }) => head !== undefined).map((grid) => now(grid.names[language()][2])[0]);
  const panelsToChoose = () => (page.panels[shown().key] ? now(page.panels[shown().key][0]) : []);

  const offer = (select, names, none) => {
    const texts = [none, ...names];
    const place = names[chosen[select.id]] === undefined ? '' : chosen[select.id];
    if (texts.join('\n') !== [...select.options].map((one) => one.text).join('\n'))
      select.replaceChildren(...texts.map((text, i) => new Option(text, i === 0 ? '' : String(i - 1))));
    select.value = place;
    select.parentElement.hidden = names.length < 2;
  };
  const nones = { panel: { ja: 'すべて', en: 'all' }, row: { ja: 'なし', en: 'none' }, head: { ja: 'すべて', en: 'all' } };
  const offerChoices = () => {
    const lists = { panel: panelsToChoose(), row: rowsToChoose(), head: headsToChoose() };
    for (const select of choices) offer(select, lists[select.id], nones[select.id][language()]);
  };

  const draw = () => {
    const { svg, key, elements, whole } = shown();
    offerChoices();
    const panel = root.getElementById('panel')?.value;
    const box = panel ? now(page.panels[key][1])[panel] : whole;
    const [, , width, height] = box.split(' ');
    svg.setAttribute('viewBox', box);
    svg.style.setProperty('--w', width);
    svg.style.setProperty('--h', height);
    for (const [element, attribute, number] of page.pictures[key]) set(elements[element], attribute, now(number));
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

  const shapeOf = (name) => now(page.stages[name].shape);
  const elementOf = (name, flat) => now(page.stages[name].data)[flat];

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
    const shape = shapeOf(name);
    const width = shape[shape.length - 1];
    const first = flatOf([...index.slice(0, -1), 0], shape);
    return Array.from({ length: width }, (_, k) => first + k);
  };
  const columnOf = (name, index) => {
    const shape = shapeOf(name);
    const rows = shape[shape.length - 2];
    return Array.from({ length: rows }, (_, k) => flatOf([...index.slice(0, -2), k, index[index.length - 1]], shape));
  };

  /** The two factors of a sum of products, for the element of the product at `index`. */
  const factorsOf = (stage, index) => {
    const [left, right] = stage.operands;
    const isVector = (name) => shapeOf(name).length === 1;
    const column = index[index.length - 1];
    const before = index.slice(0, -2);
    const row = index[index.length - 2] || 0;
    const lefts = isVector(left) ? rowOf(left, [0]) : isVector(right) ? rowOf(left, [...index, 0]) : rowOf(left, [...before, row, 0]);
    const rights = isVector(right) ? rowOf(right, [0])
      : stage.operation === 'product' ? columnOf(right, [...before, 0, column]) : rowOf(right, [...before, column, 0]);
    return [{ name: left, flats: lefts }, { name: right, flats: rights }];
  };

  const valuesOf = ({ name, flats }) => flats.map((flat) => elementOf(name, flat));

  /** "query[0, :]" of a row, "value[:, 2]" of a column. */
  const sliceName = ({ name, flats }) => {
    const shape = shapeOf(name);
    const [first, last] = [flats[0], flats[flats.length - 1]].map((flat) => indexAt(flat, shape));
    const byRow = flats.length < 2 || flats[1] === flats[0] + 1;
    return nameOf(name, first.map((place, axis) => (axis === shape.length - (byRow ? 1 : 2) ? ':' : last[axis] === place ? place : ':')));
  };

  const functions = {
    power: (x, base) => `${written(base)}^${x}`,
    tanh: (x) => `tanh(${x})`,
    relu: (x) => `max(0, ${x})`,
  };

  /** Adds a line per stage, and what went into it, from this element back to the factors of a product. */
  const explain = (name, index, lines, sources) => {
    const stage = page.stages[name];
    if (!stage || !stage.operation || !stage.operands.every((operand) => page.stages[operand])) return;
    const result = written(elementOf(name, flatOf(index, shapeOf(name))));
    const say = (...parts) => lines.push(`${nameOf(name, index)} = ${[...parts, result].join(' ≈ ')}`);
    const operands = stage.operands.map((operand) => {
      const shape = shapeOf(operand);
      const flat = flatOf(index, shape);
      return { name: operand, index: indexAt(flat, shape), flats: [flat], value: elementOf(operand, flat) };
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
    } else if (stage.operation === 'row share') {
      const row = { name: one.name, flats: rowOf(one.name, index) };
      say(`${nameOf(one.name, one.index)} / Σ ${sliceName(row)}`,
        `${written(one.value)} / (${elided(valuesOf(row).map((value, k) => (k === 0 ? written(value) : inBrackets(value))), ' + ')})`);
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
      const base = stage.factor === undefined ? undefined : now(stage.factor);
      say(apply(nameOf(one.name, one.index), base), apply(written(one.value), base));
      follow();
    }
  };

  // --- What a mark answers

  const atOf = (mark) => mark.dataset.at.split(' ').map(Number);

  /** The value of a mark, and where it stands in the stage that its grid shows. */
  const readingOf = ([gridNumber, row, column]) => {
    const grid = page.grids[gridNumber];
    const columns = now(grid.columns);
    const [rows, names, [series, axis]] = grid.names[language()].map(now);
    const [x, y] = [grid.x, grid.y].map((number) => number !== undefined && written(now(number)[column]));
    const place = [series, rows[row], names[column], x && !y && `${axis} ${x}`].filter((name) => name);
    const labelled = (otherwise) => `${place.join(', ') || otherwise}${y ? ` (${x}, ${y})` : ''}`;
    if (!grid.stage) {
      const label = labelled(nameOf(grid.id, grid.flat ? [column] : [row, column]));
      return { label, value: grid.values === undefined ? undefined : now(grid.values)[row * columns + column] };
    }
    const flat = (now(grid.row) + row) * columns + column;
    const index = indexAt(flat, shapeOf(grid.stage));
    return { label: labelled(nameOf(grid.stage, index)), value: elementOf(grid.stage, flat), stage: grid.stage, index };
  };

  const said = ({ label, value }) => (value === undefined ? label : `${label}: ${written(value)}`);

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

  // --- Surfaces: images whose pixels and curves whose corners are marks without elements

  const corners = new Map();

  /** Of a curve, from its first to its last point. */
  const cornersOf = (curve) => {
    const d = curve.getAttribute('d');
    if (!corners.has(d)) corners.set(d, d.slice(1).split('L').map((corner) => corner.split(' ').map(Number)));
    return corners.get(d);
  };
  const isImage = (surface) => surface.localName === 'image';
  const firstOf = (curve) => Number(curve.dataset.end) - cornersOf(curve).length;

  /** How many rows and columns it has, and which column is its first. */
  const extentOf = (surface) => {
    if (!isImage(surface)) return { rows: 1, first: firstOf(surface), end: Number(surface.dataset.end) };
    const grid = page.grids[surface.dataset.grid];
    return { rows: now(grid.rows), first: 0, end: now(grid.columns) };
  };

  /** Its mark, as an element that lies upon it. */
  const markOn = (surface, [grid, row, column]) => {
    const { rows, first, end } = extentOf(surface);
    if (!(row < rows && column >= first && column < end)) return undefined;
    const at = { 'data-at': `${grid} ${row} ${column}`, class: 'spot' };
    if (!isImage(surface)) {
      const [cx, cy] = cornersOf(surface)[column - first];
      return svgElement('circle', { cx, cy, r: 5, ...at });
    }
    const { x, y, width, height } = surface.getBBox();
    return svgElement('rect', { x: x + (column * width) / end, y: y + (row * height) / rows, width: width / end, height: height / rows, ...at });
  };

  /** The mark at that place on a surface, or nothing. */
  const spotAt = (at) => {
    const place = at.split(' ').map(Number);
    const spots = shown().surfaces.filter((one) => Number(one.dataset.grid) === place[0] && isVisible(one)).map((one) => markOn(one, place));
    const spot = spots.find((one) => one);
    if (spot) shown().lights.append(spot);
    return spot;
  };

  /** The corner of a curve that is nearest to the pointer, if it is near. */
  const cornerUnder = (event) => {
    const { svg, surfaces } = shown();
    const pointer = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    let nearest = { distance: 14, at: '' };
    for (const curve of surfaces.filter((one) => !isImage(one) && isVisible(one))) {
      cornersOf(curve).forEach(([x, y], i) => {
        const distance = Math.hypot(x - pointer.x, y - pointer.y);
        if (distance < nearest.distance) nearest = { distance, at: `${curve.dataset.grid} 0 ${firstOf(curve) + i}` };
      });
    }
    return nearest.at;
  };

  // --- Lights

  const light = (mark, sources, flow) => {
    const [grid, row, column] = atOf(mark);
    const like = (test) => shown().marks.filter((one) => {
      const at = atOf(one);
      return at[0] === grid && test(at);
    });
    const lights = [];
    if (page.grids[grid].head !== undefined) return;  // its lines are all that is left
    if (!page.grids[grid].flat && page.grids[grid].names[language()].map(now)[0].length > 0) {
      lights.push(...boxAround(like((at) => at[1] === row), 'band'), ...boxAround(like((at) => at[2] === column), 'band'));
    }
    for (const source of sources) lights.push(...boxAround(marksOf(source), 'source'));
    for (const one of flow) lights.push(...boxAround(like((at) => at[2] === one), 'source'));
    lights.push(...boxAround([mark], 'mark'));
    shown().lights.replaceChildren(...lights);
    frameRow();
  };

  /** A line for each box that leads to this one, nearest first, and the columns of all these boxes and their arrows. */
  const flowTo = ([gridNumber, row, column]) => {
    const grid = page.grids[gridNumber];
    const lines = [];
    const lit = [];
    if (!grid.ends) return { lines, lit };
    const ends = now(grid.ends);
    const boxes = now(grid.columns) - ends.length;
    const name = (box) => now(grid.names[language()][1])[box];
    const reached = column < boxes ? [column] : [];
    if (column >= boxes) lit.push(...ends[column - boxes]);
    for (const box of reached) {
      const from = ends.flatMap(([tail, tip], i) => (tip === box ? [[tail, i]] : []));
      if (from.length > 0) lines.push(`${name(box)} ← ${from.map(([tail]) => name(tail)).join(', ')}`);
      for (const [tail, i] of from) {
        lit.push(tail, boxes + i);
        if (!reached.includes(tail)) reached.push(tail);
      }
    }
    return { lines, lit };
  };

  // --- Lines between words

  /** The query of a word or of a line. */
  const queryOf = (at) => {
    const [number, row, column] = at.split(' ').map(Number);
    const grid = page.grids[number];
    return grid?.queries ? column : grid?.head === undefined ? undefined : row;
  };

  /** Leaves the lines of the query that is pointed at or chosen, and of the chosen head. */
  const leaveLines = (at) => {
    const [row, head] = ['row', 'head'].map((id) => root.getElementById(id)?.value || undefined);
    const query = queryOf(at) ?? (row && Number(row));
    for (const mark of shown().marks) {
      const [number, from] = atOf(mark);
      const own = page.grids[number].head;
      if (own === undefined) continue;
      const isLit = query === undefined || query === from;
      mark.classList.toggle('away', !isLit || (head !== undefined && own !== Number(head)));
      mark.classList.toggle('lit', isLit && query !== undefined);
    }
  };

  /** The largest weights of the query of a word, a line for each head. */
  const weightsOf = ([words, , query]) => (!page.grids[words].queries ? [] : page.grids.flatMap((grid, i) => {
    if (grid.head === undefined) return [];
    const [, keys, [head]] = grid.names[language()].map(now);
    const weights = keys.map((label, key) => ({ label, value: readingOf([i, query, key]).value }));
    const largest = weights.sort((one, other) => number(other.value) - number(one.value)).slice(0, 3);
    return [[head, largest.map(said).join(', ')].filter((part) => part).join(' | ')];
  }));

  const paragraph = (text) => Object.assign(document.createElement('p'), { textContent: text });
  const answerBox = root.getElementById('answer');

  let pointed = '';  // the mark under the pointer or in focus, as its data-at
  let fixed = '';    // the one that a click fixed

  /** A frame around the chosen row of every map that has it. */
  const frameRow = () => {
    const row = root.getElementById('row')?.value;
    const { marks, surfaces, lights } = shown();
    if (!row) return;
    const same = rowsToChoose().join('\n');
    page.grids.forEach((grid, number) => {
      if (grid.head !== undefined || rowNames(grid).join('\n') !== same) return;
      const cells = marks.filter((mark) => mark.dataset.at.startsWith(`${number} ${row} `));
      const image = surfaces.find((one) => one.dataset.grid === String(number) && isVisible(one));
      const ends = image ? [0, extentOf(image).end - 1].map((column) => markOn(image, [number, row, column])) : [];
      lights.append(...ends);
      lights.append(...boxAround([...cells, ...ends], 'chosen'));
      ends.forEach((one) => one.remove());
    });
  };

  const answer = () => {
    const at = fixed || pointed;
    shown().lights.replaceChildren();
    leaveLines(at);
    frameRow();
    const mark = shown().marks.find((one) => one.dataset.at === at && isVisible(one)) || (at && spotAt(at));
    if (!mark) return answerBox.replaceChildren();
    const reading = readingOf(atOf(mark));
    const { lines, lit } = flowTo(atOf(mark));
    const sources = [];
    if (reading.stage) explain(reading.stage, reading.index, lines, sources);
    answerBox.replaceChildren(...[said(reading), ...lines, ...weightsOf(atOf(mark))].map(paragraph));
    light(mark, sources, lit);
  };

  const mostNamed = 1000;  // marks that are named in every frame; of more, each is when it gets the focus

  const nameMark = (mark) => {
    mark.setAttribute('role', 'button');
    mark.setAttribute('aria-label', said(readingOf(atOf(mark))));
    mark.setAttribute('aria-pressed', String(mark.dataset.at === fixed));
  };

  /** Every surface is reached by Tab, and remembers where on it the reader was. */
  const nameSurface = (surface) => {
    const { rows, first, end } = extentOf(surface);
    const [, row, column] = (surface.dataset.spot || `0 0 ${first}`).split(' ').map(Number);
    const at = [Number(surface.dataset.grid), Math.min(row, rows - 1), Math.min(Math.max(column, first), end - 1)];
    surface.dataset.spot = at.join(' ');
    surface.setAttribute('tabindex', '0');
    surface.setAttribute('role', 'button');
    surface.setAttribute('aria-label', said(readingOf(at)));
    surface.setAttribute('aria-pressed', String(surface.dataset.spot === fixed));
  };

  /** One mark of a picture is reached by Tab, its neighbours by arrows; each says its value. */
  const nameMarks = () => {
    shown().surfaces.filter(isVisible).forEach(nameSurface);
    const visible = shown().marks.filter(isVisible);
    const chosen = visible.find((mark) => mark === root.activeElement)
      || visible.find((mark) => mark.dataset.at === (fixed || pointed)) || visible[0];
    if (!chosen) return;
    for (const mark of shown().svg.querySelectorAll('[data-at][tabindex]')) if (mark !== chosen) mark.removeAttribute('tabindex');
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
      for (const select of choices) if (select.value) state.push([select.id, select.value]);
      if (fixed) state.push(['mark', fixed.replaceAll(' ', '.')]);
      state.push(['lang', wanted()]);
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
    const whole = (key) => (/^\d+$/.test(state.get(key)) ? state.get(key) : '');
    for (const select of choices) chosen[select.id] = whole(select.id);
    fixed = /^\d+\.\d+\.\d+$/.test(state.get('mark')) ? state.get('mark').replaceAll('.', ' ') : '';
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
      document.documentElement.lang = wanted();
      document.title = root.querySelector(`h1[lang="${wanted()}"]`).textContent;
    }
    choosePicture();
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

  const playButton = inputs.length > 0 ? root.getElementById('play') : null;  // a live page plays by itself
  let timer = 0;
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    playButton?.setAttribute('aria-pressed', 'false');
    answerBox.setAttribute('aria-live', 'polite');
    writeAddress();
  };
  const play = () => {
    timer = setInterval(() => move(active, (places[active] + 1) % page.sliders[active].values.length), 150);
    playButton.setAttribute('aria-pressed', 'true');
    answerBox.setAttribute('aria-live', 'off');
  };
  /** Who wants nothing to move by itself steps on instead. */
  const togglePlaying = () => {
    if (timer) stop();
    else if (calm.matches) move(active, (places[active] + 1) % page.sliders[active].values.length);
    else play();
  };
  calm.addEventListener('change', () => { if (timer) stop(); });
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
  for (const select of choices) {
    select.addEventListener('change', () => {
      chosen[select.id] = select.value;
      show();
      writeAddress();
    });
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
    choose(fixed);
    nameMarks();
    answer();
    writeAddress();
  };

  /** A mark that chooses sets its slider, or a live page's control, to its value. */
  const choose = (at) => {
    const chooses = at && page.grids[at.split(' ')[0]].chooses;
    if (!chooses) return;
    const value = String(readingOf(at.split(' ').map(Number)).value);
    const slider = page.sliders.findIndex(({ name }) => name === chooses);
    if (slider < 0) root.dispatchEvent(new CustomEvent('choose', { detail: { name: chooses, value } }));
    else if (page.sliders[slider].values.includes(value)) moveByHand(slider, page.sliders[slider].values.indexOf(value));
  };

  const pointAt = (at) => {
    pointed = at;
    if (!fixed) choose(at);
    answer();
  };

  const neighbours = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  const focusNeighbour = (mark, [down, right]) => {
    const [grid, row, column] = atOf(mark);
    const [y, x] = page.grids[grid].queries ? [row, column + down + right] : [row + down, column + right];
    const next = shown().marks.find((one) => one.dataset.at === `${grid} ${y} ${x}` && isVisible(one));
    if (!next) return;
    nameMark(next);
    next.setAttribute('tabindex', '-1');
    next.focus();
  };
  const moveSpot = (surface, [down, right]) => {
    const [grid, row, column] = surface.dataset.spot.split(' ').map(Number);
    surface.dataset.spot = [grid, Math.max(row + down, 0), Math.max(column + right, 0)].join(' ');
    nameSurface(surface);
    pointAt(surface.dataset.spot);
  };

  const picture = root.getElementById('picture');
  const under = (event) => {
    const part = event.target.closest('[data-at], [data-of], image[data-grid]');
    if (!part) return event.clientX === undefined ? '' : cornerUnder(event);
    if (!part.dataset.grid) return part.dataset.at || part.dataset.of;
    const { left, top, width, height } = part.getBoundingClientRect();
    const { rows, end } = extentOf(part);
    const place = (share, count) => Math.min(Math.max(Math.floor(share * count), 0), count - 1);
    return [part.dataset.grid, place((event.clientY - top) / height, rows), place((event.clientX - left) / width, end)].join(' ');
  };
  picture.addEventListener('pointerover', (event) => pointAt(under(event)));
  picture.addEventListener('pointermove', (event) => {
    const at = under(event);
    if (at !== pointed) pointAt(at);
  });
  picture.addEventListener('pointerleave', () => pointAt(''));
  picture.addEventListener('focusin', ({ target }) => pointAt(target.dataset.spot || target.dataset.at || ''));
  picture.addEventListener('focusout', () => pointAt(''));
  picture.addEventListener('click', (event) => {
    const surface = event.target.closest('[data-spot]');
    if (surface && under(event)) surface.dataset.spot = under(event);
    if (under(event) || fixed) fix(under(event) || fixed);
  });
  // A swipe steps the slider, where it does not scroll the picture.
  const scrolls = () => picture.scrollWidth > picture.clientWidth;
  new ResizeObserver(() => {
    picture.classList.toggle('scrolls', scrolls());
    if (choosePicture()) show();
  }).observe(picture);
  let from = null;  // where a finger touched it
  picture.addEventListener('touchstart', ({ touches }) => { from = touches.length === 1 && !scrolls() ? touches[0].clientX : null; }, { passive: true });
  picture.addEventListener('touchend', (event) => {
    const by = from === null ? 0 : event.changedTouches[0].clientX - from;
    if (Math.abs(by) > 40) moveByHand(active, places[active] + Math.sign(by));
  });

  root.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const mark = event.target.closest('[data-at], [data-spot]');
    const isControl = event.target.closest('input, select, button, a, summary');
    const last = page.sliders.length - 1;
    if (mark && neighbours[event.key]) (mark.dataset.spot ? moveSpot : focusNeighbour)(mark, neighbours[event.key]);
    else if (mark && (event.key === 'Enter' || event.key === ' ')) fix(mark.dataset.spot || mark.dataset.at);
    else if (inputs.length > 0 && event.key === ' ' && !event.target.closest('button, select, input[type="radio"]')) togglePlaying();
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

  root.addEventListener('frame', async () => {
    const element = root.getElementById('page');
    const data = await dataIn(root);
    if (element !== root.getElementById('page')) return;  // a newer frame is there
    readFrame(data);
    show();
  });

  root.getElementById('controls')?.removeAttribute('hidden');
  readFrame(found);
  readAddress();
  show();
};

/** What stands beside the pictures: JSON, compressed. */
const dataIn = async (root) => {
  const bytes = Uint8Array.from(atob(root.getElementById('page').textContent), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).json();
};

const exploreAll = async () => {
  if (document.getElementById('page')) explore(document, await dataIn(document));
  for (const { shadowRoot } of document.querySelectorAll('.explorable')) explore(shadowRoot, await dataIn(shadowRoot));
};
const explored = exploreAll();
