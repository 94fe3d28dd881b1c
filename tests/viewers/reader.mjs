// Opens a page in Chromium as a reader does, and says in JSON what there is to say against it:
//   node reader.mjs FILE WIDTH light|dark [PICTURE.png [TOP HEIGHT]]
// Letters of pictures are measured as they are shown, those in shadow trees included.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [file, width, theme, picture, top, height] = process.argv.slice(2);
const profile = mkdtempSync(join(tmpdir(), 'reader-'));
const chromium = spawn('chromium', ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--remote-debugging-pipe', `--user-data-dir=${profile}`],
  { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });

let last = 0;
const waiting = new Map();
const told = [];
const requests = [];
const send = (method, params = {}, sessionId = undefined) => new Promise((done, fail) => {
  last += 1;
  waiting.set(last, { done, fail });
  chromium.stdio[3].write(`${JSON.stringify({ id: last, method, params, sessionId })}\0`);
});
let rest = '';
chromium.stdio[4].on('data', (bytes) => {
  const messages = (rest + bytes).split('\0');
  rest = messages.pop();
  for (const message of messages.map((text) => JSON.parse(text))) {
    const { done, fail } = waiting.get(message.id) || {};
    if (message.error) fail(new Error(message.error.message));
    else if (done) done(message.result);
    if (message.method === 'Runtime.consoleAPICalled') told.push(message.params.args.map((arg) => arg.value).join(' '));
    if (message.method === 'Runtime.exceptionThrown') told.push(message.params.exceptionDetails.text);
    if (message.method === 'Log.entryAdded') told.push(message.params.entry.text);
    if (message.method === 'Network.requestWillBeSent') requests.push(message.params.request.url);
  }
});

/** Runs in the page. */
const faults = async () => {
  const everything = (root) => [...root.querySelectorAll('*')].flatMap((one) => (one.shadowRoot ? [one, ...everything(one.shadowRoot)] : [one]));
  const all = everything(document);
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
  const ownText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '');
  const name = (element) => `${element.localName}.${element.className.baseVal ?? element.className} ${element.textContent.trim().slice(0, 40)}`;
  const scrolls = (element) => {
    for (let one = element; one; one = one.parentElement || one.getRootNode().host) {
      if (['auto', 'scroll'].includes(getComputedStyle(one).overflowX)) return true;
    }
    return false;
  };
  const hides = (element) => element.closest('.definitions') || /^(style|script|template|title|desc)$/.test(element.localName);
  const shown = all.filter((element) => !hides(element) && isShown(element));
  const small = shown.filter((element) => ownText(element) && !element.closest('svg') && parseFloat(getComputedStyle(element).fontSize) < 12);
  const smallest = (svg) => Math.min(...[...svg.querySelectorAll('g[transform*="scale"]')].filter(isShown).map((group) => {
    const { a, b } = group.getScreenCTM();
    return Math.hypot(a, b) * 1000;
  }));
  const letters = shown.filter((element) => element.localName === 'svg').map((svg) => ({ svg, size: smallest(svg) }));
  const fits = (svg) => parseFloat(getComputedStyle(svg).minWidth) <= 360;  // the width of a telephone
  const cut = letters.filter(({ svg }) => fits(svg) && svg.parentElement.scrollWidth > svg.parentElement.clientWidth);
  // What is wider than its place, and does not say so; programs are known to scroll.
  const says = (element) => (element.closest('a') ?? element).nextElementSibling?.matches('p.narrow, p.wide') || [...element.parentElement.querySelectorAll('.sideways')].some(isShown);
  const unsaid = shown.filter((element) => !['visible', 'hidden'].includes(getComputedStyle(element).overflowX) && element.localName !== 'pre'
    && element.scrollWidth > element.clientWidth + 1 && !says(element));
  // Labels of a picture that run into each other, or out of it.
  const labelsOf = (svg) => [...svg.children].filter((one) => /scale/.test(one.getAttribute('transform')) && isShown(one)).map((one) => ({ one, box: one.getBoundingClientRect() }));
  const isTurned = (element) => Math.abs(element.getScreenCTM().b) > 1e-6;
  const meet = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1.5
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1.5;
  const pictures = shown.filter((element) => element.matches('svg[viewBox]') && element.children.length > 1);
  const colliding = pictures.filter((svg) => {
    const labels = labelsOf(svg).filter(({ one }) => !isTurned(one));
    return labels.some(({ box }, i) => labels.some((other, j) => j < i && meet(box, other.box)));
  });
  const outside = pictures.filter((svg) => {
    const { left, right, top, bottom } = svg.getBoundingClientRect();
    return labelsOf(svg).some(({ box }) => box.left < left - 1 || box.right > right + 1 || box.top < top - 1 || box.bottom > bottom + 1);
  });
  // Panels of pictures that move, as their data tell their boxes.
  const least = 100;
  const dataOf = ({ shadowRoot }) => {
    const bytes = Uint8Array.from(atob(shadowRoot.getElementById('page').textContent), (letter) => letter.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).json();
  };
  const moving = all.filter((one) => one.shadowRoot && isShown(one));
  const data = await Promise.all(moving.map(dataOf));
  const tiny = moving.filter(({ shadowRoot }, i) => {
    const svg = [...shadowRoot.querySelectorAll('svg[lang]')].find(isShown);
    const boxes = data[i].panels[svg.dataset.key]?.[1];
    if (boxes === undefined || !Array.isArray(data[i].series[boxes])) return false;
    const scale = svg.getBoundingClientRect().width / Number(svg.getAttribute('viewBox').split(' ')[2]);
    return data[i].series[boxes][0].some((box) => box.split(' ').slice(2).some((side) => Number(side) * scale < least));
  });
  const edge = document.documentElement.clientWidth + 1;
  const ids = all.filter((element) => element.id && element.getRootNode() === document).map((element) => element.id);
  return {
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    wide: shown.filter((element) => !scrolls(element) && !element.closest('svg') && element.getBoundingClientRect().right > edge).map(name),
    small: small.map(name),
    smallLetters: letters.filter(({ size }) => size < 11.9).map(({ svg, size }) => `${svg.getAttribute('aria-label')} ${size.toFixed(1)}`),
    cut: cut.map(({ svg }) => svg.getAttribute('aria-label')),
    unsaid: unsaid.map(name),
    colliding: colliding.map((svg) => svg.getAttribute('aria-label')),
    outside: outside.map((svg) => svg.getAttribute('aria-label')),
    tiny: tiny.map(name),
    twins: ids.filter((id, i) => ids.indexOf(id) !== i),
    unnamed: shown.filter((element) => element.matches('button, input, summary, a[href], svg[role]')
      && !(element.textContent.trim() || element.getAttribute('aria-label') || (element.labels && element.labels.length > 0))).map(name),
    pictures: letters.length,
    height: document.documentElement.scrollHeight,
  };
};

try {
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
  const page = (method, params) => send(method, params, sessionId);
  await page('Page.enable');
  await page('Runtime.enable');
  await page('Log.enable');
  await page('Network.enable');
  await page('Emulation.setDeviceMetricsOverride', { width: Number(width), height: 844, deviceScaleFactor: 1, mobile: Number(width) < 600 });
  await page('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: theme }] });
  await page('Page.navigate', { url: `file://${resolve(file)}` });
  const evaluate = async (expression) => (await page('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true })).result.value;
  await evaluate("new Promise((done) => { const wait = () => (document.readyState === 'complete' ? setTimeout(done, 300) : setTimeout(wait, 50)); wait(); })");
  const found = await evaluate(`(${faults})()`);
  if (picture) {
    const clip = { x: 0, y: Number(top || 0), width: Number(width), height: Number(height || found.height), scale: 1 };
    const { data } = await page('Page.captureScreenshot', { captureBeyondViewport: true, clip });
    writeFileSync(picture, Buffer.from(data, 'base64'));
  }
  const foreign = requests.filter((url) => url !== `file://${resolve(file)}` && !url.startsWith('data:'));
  process.stdout.write(`${JSON.stringify({ ...found, console: told, requests: foreign })}\n`);
} finally {
  const ended = new Promise((resolved) => { chromium.on('exit', resolved); });
  chromium.kill();
  await ended;
  for (let tries = 1; ; ++tries) {  // its children still write; rmSync's own retries do not look again for new files
    try {
      rmSync(profile, { recursive: true, force: true });
      break;
    } catch (error) {
      if (tries === 50) throw error;
      await new Promise((resolved) => { setTimeout(resolved, 100); });
    }
  }
}
