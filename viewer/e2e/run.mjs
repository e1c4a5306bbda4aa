// End to end: real runs, real reports, a real browser. Screenshots go to build/screenshots, to be looked at.
//   node e2e/run.mjs [PROGRAM]        (default: build/release/ricochet)
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { open, withBrowser } from './browser.mjs';
import { ball, ballImpacts, hostileTitle, trail, withSections, withoutView } from './scenarios.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = resolve(process.argv[2] ?? join(root, 'build/release/ricochet'));
const work = mkdtempSync(join(tmpdir(), 'ricochet-e2e-'));
const shots = join(root, 'build/screenshots');
mkdirSync(shots, { recursive: true });

function run(scenario, ...more) {
  const name = scenario.replace(/\.toml$/, '').replace(/.*\//, '');
  const text = readFileSync(scenario.endsWith('.toml') ? scenario : join(root, `scenarios/${scenario}.toml`), 'utf8');
  const verb = /^\[optimize\]/m.test(text) ? 'solve' : 'run'; // its run alone would be one without controls
  execFileSync(program, [verb, scenario, '-o', join(work, name), '--quiet', ...more], { cwd: work, stdio: 'inherit' });
  return join(work, name, 'report.html');
}
function runText(name, text, ...more) {
  writeFileSync(join(work, `${name}.toml`), text);
  return run(join(work, `${name}.toml`), ...more);
}
const ballReport = runText('ball', ball('Ball'));
const gallery = execFileSync(program, ['list'], { encoding: 'utf8' }).trim().split('\n').map((line) => line.trim().split(/\s+/)[0]);

const time = (page) => page.locator('.timeline input').inputValue().then(Number);
// The picture changes from the start of the run to a later time: something is drawn, and moves.
async function moves(page) {
  const stage = page.locator('.stage');
  await page.keyboard.press('Home');
  const first = await stage.screenshot();
  for (let k = 0; k < 7; k++) await page.keyboard.press('ArrowRight');
  await page.waitForTimeout(50);
  return !first.equals(await stage.screenshot());
}
// Nothing sticks out of the page to the right.
const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function looks(page, name, kinds = [[1280, 'light'], [1280, 'dark'], [390, 'light'], [390, 'dark']]) {
  for (const [width, scheme] of kinds) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme });
    await page.waitForTimeout(150);
    assert.ok((await overflow(page)) <= 0, `${name}: wider than ${width} pixels`);
    await page.screenshot({ path: join(shots, `${name}-${width}-${scheme}.png`), fullPage: true });
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}

const tests = {
  async 'plays, pauses, steps and scrubs'(context) {
    const { page, errors } = await open(context, ballReport);
    assert.equal(await time(page), 0);
    await page.keyboard.press('Space');
    await page.waitForTimeout(500);
    await page.keyboard.press('Space');
    const played = await time(page);
    assert.ok(played > 0.2 && played < 3, `half a second of play at speed 1 came to ${played}`);
    await page.waitForTimeout(200);
    assert.equal(await time(page), played, 'a paused player moves');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    assert.ok(Math.abs((await time(page)) - 0.01) < 1e-9, 'one frame is one record');
    await page.keyboard.press('End');
    assert.equal(await time(page), 10);
    await page.locator('.timeline input').fill('5');
    assert.ok((await page.locator('.status').innerText()).includes('t = 5'));
    assert.deepEqual(errors, []);
  },

  async 'counts, lists and jumps to impacts'(context) {
    const { page, errors } = await open(context, ballReport);
    const expected = ballImpacts(10);
    assert.ok((await page.locator('#verdict').innerText()).includes(`${expected} impacts`));
    assert.equal(await page.locator('.ledger tbody tr').count(), expected);
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowRight');
    // An event time is exact to the order of the method: h² = 1e-4 is more than enough.
    assert.ok(Math.abs((await time(page)) - Math.sqrt(2 / 9.81)) < 1e-4, 'the first impact is at sqrt(2h/g)');
    await page.keyboard.press('Shift+ArrowRight');
    assert.ok(Math.abs((await time(page)) - 3 * Math.sqrt(2 / 9.81)) < 1e-3, 'the second at three times that');
    await page.locator('.ledger th button').nth(2).click();
    await page.locator('.ledger th button').nth(2).click();
    assert.equal(await page.locator('.ledger tbody tr td').first().innerText(), String(expected), 'sorted by time, last first');
    assert.deepEqual(errors, []);
  },

  async 'plays on opening, unless reduced motion is asked for, with the button above the fold'(context) {
    const { page, errors } = await open(context, ballReport);
    await page.waitForTimeout(300);
    assert.equal(await time(page), 0, 'reduced motion: it waits');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    for (const [width, height] of [[1280, 800], [390, 740]]) {
      await page.setViewportSize({ width, height });
      await page.reload();
      await page.waitForFunction(() => Number(document.querySelector('.timeline input')?.value) > 0);
      const box = await page.locator('.play').boundingBox();
      assert.ok(box.y + box.height <= height, `the button ends at ${box.y + box.height} of ${height}`);
    }
    assert.deepEqual(errors, []);
  },

  async 'without a view coordinates are named axes, and the forbidden side is hatched'(context) {
    for (const two of [false, true]) {
      const { page, errors } = await open(context, runText(two ? 'plane' : 'strip', withoutView(two)));
      const canvas = page.locator('.stage canvas');
      assert.equal(await canvas.getAttribute('data-landscape'), two ? 'plane' : 'strip');
      assert.equal(await canvas.getAttribute('aria-label'), two ? 'Motion in the plane of a and b' : 'Motion in the plane of time t and theta');
      // Ink in a patch of the picture: hatched where the gap is negative, clean where the system may be and was not.
      const ink = (top, bottom) => canvas.evaluate((c, [top, bottom]) => {
        const [w, h] = [c.width, c.height];
        const { data } = c.getContext('2d').getImageData(0.6 * w, top * h, 0.3 * w, (bottom - top) * h);
        let n = 0;
        for (let i = 3; i < data.length; i += 4) n += data[i] > 15;
        return n / (data.length / 4);
      }, [top, bottom]);
      assert.ok((await ink(...(two ? [0.045, 0.055] : [0.87, 0.89]))) > 0.9, 'the wall is hatched');
      assert.ok((await ink(...(two ? [0.87, 0.89] : [0.05, 0.07]))) < 0.5, 'beyond the motion is nothing');
      assert.ok(await moves(page));
      await looks(page, two ? 'no-view-plane' : 'no-view-strip');
      assert.deepEqual(errors, []);
    }
  },

  async 'saves a picture, a video and the ledger, which can be filtered'(context) {
    const { page, errors } = await open(context, ballReport);
    const save = async (action) => {
      const [file] = await Promise.all([page.waitForEvent('download'), action()]);
      return [file.suggestedFilename(), readFileSync(await file.path())];
    };
    const [png, picture] = await save(() => page.getByRole('button', { name: 'Save this picture' }).click());
    assert.equal(png, 'ball.png');
    assert.equal(picture.subarray(1, 4).toString(), 'PNG');
    const [webm, video] = await save(async () => {
      await page.getByRole('button', { name: 'Save the motion' }).click();
      await page.waitForTimeout(700);
      await page.getByRole('button', { name: 'Save the motion' }).click();
    });
    assert.equal(webm, 'ball.webm');
    assert.equal(video.readUInt32BE(0), 0x1a45dfa3, 'the first bytes of a WebM file');
    const lines = ballImpacts(10);
    const [name, table] = await save(() => page.getByRole('button', { name: 'Save these lines' }).click());
    assert.equal(name, 'ball-ledger.csv');
    assert.equal(table.toString().trim().split('\n').length, lines + 1);
    await page.getByLabel('filter the ledger').fill('nothing like it');
    assert.equal(await page.locator('.ledger tbody tr').count(), 0);
    await page.getByLabel('filter the ledger').fill('FLOOR elastic');
    assert.equal(await page.locator('.ledger tbody tr').count(), lines);
    assert.deepEqual(errors, []);
  },

  async 'a plot sets the time of the player'(context) {
    const { page, errors } = await open(context, ballReport);
    const over = page.locator('.u-over').first();
    await over.scrollIntoViewIfNeeded();
    const box = await over.boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    assert.ok(Math.abs((await time(page)) - 5) < 0.1, 'the middle of the plot is the middle of the run');
    assert.deepEqual(errors, []);
  },

  async 'phase portraits are lines where the motion is smooth, and a trail is drawn'(context) {
    const { page, errors } = await open(context, runText('trail', ball('Trail') + trail));
    // 1001 records: x is one straight line; y is a line but for the impacts, where the velocity jumps.
    const phase = page.locator('.phase');
    assert.equal(await phase.getAttribute('data-joined'), '1000');
    await page.getByLabel('coordinate').selectOption('y');
    assert.equal(await phase.getAttribute('data-joined'), String(1000 - ballImpacts(10)));
    const orange = () => page.locator('.stage canvas').first().evaluate((c) => {
      const { data } = c.getContext('2d').getImageData(0, 0, c.width, c.height);
      let n = 0;
      for (let i = 0; i < data.length; i += 4) n += data[i + 3] > 100 && data[i] > 180 && data[i + 1] < 140 && data[i + 2] < 60;
      return n;
    });
    await page.keyboard.press('Home');
    const before = await orange();
    await page.keyboard.press('End');
    assert.ok((await orange()) > before + 300, 'the path behind the ball');
    assert.deepEqual(errors, []);
  },

  async 'in space axes are labelled, cylinders are surfaces, and one never looks from below the floor'(context) {
    const { page, errors } = await open(context, run('cylinder-pendulum'));
    const canvas = page.locator('.stage canvas').first();
    await page.waitForFunction(() => document.querySelector('.stage canvas').dataset.above);
    assert.equal(await canvas.getAttribute('data-axes'), 'x y z');
    assert.ok(Number(await canvas.getAttribute('data-surfaces')) >= 2, 'the cylinder and the bob');
    const box = await canvas.boundingBox();
    for (const by of [-600, 600]) { // far beyond both poles
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 2 + 40, box.y + box.height / 2 + by, { steps: 8 });
      await page.mouse.up();
      assert.ok(Number(await canvas.getAttribute('data-above')) > 0, `above the floor after a drag by ${by}`);
    }
    assert.ok(await moves(page));
    assert.deepEqual(errors, []);
  },

  async 'zooming shows more records, a double click all again'(context) {
    const { page, errors } = await open(context, runText('zoom', ball('Zoom', { duration: 2000 }))); // 200001 records
    const figure = page.locator('#plots figure[data-spacing]').first();
    const spacing = () => figure.getAttribute('data-spacing').then(Number);
    const whole = await spacing();
    assert.ok(whole > 0.4, `4001 points of 2000 units are ${whole} apart`);
    const over = figure.locator('.u-over');
    await over.scrollIntoViewIfNeeded();
    const box = await over.boundingBox();
    await page.mouse.move(box.x + 0.5 * box.width, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.55 * box.width, box.y + 20, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction((before) => Number(document.querySelector('#plots figure[data-spacing]').dataset.spacing) < before / 5, whole);
    assert.ok((await spacing()) < 0.13, 'of 100 units every record that the page has');
    const others = await page.locator('#plots figure[data-spacing]').evaluateAll((list) => list.map((f) => Number(f.dataset.spacing)));
    assert.ok(others.every((s) => s < 0.13), `all plots zoom: ${others}`);
    await over.dblclick();
    await page.waitForFunction((before) => Math.abs(Number(document.querySelector('#plots figure[data-spacing]').dataset.spacing) - before) < 0.1 * before, whole);
    assert.deepEqual(errors, []);
  },

  async 'sections are bounce maps and Poincaré sections'(context) {
    const { page, errors } = await open(context, runText('sections', ball('Sections') + withSections));
    const maps = page.locator('[data-section]');
    assert.deepEqual(await maps.evaluateAll((list) => list.map((m) => m.dataset.section)), ['<i>hits</i>', 'apex']);
    const heads = await maps.locator('figcaption').allInnerTexts();
    assert.ok(heads[0].startsWith(`Bounce map: <i>hits</i> (${ballImpacts(10)} points)`), heads[0]);
    assert.ok(heads[1].startsWith('Poincaré section: apex'), heads[1]);
    // A click on the left of the map takes the player to the first impact, at sqrt(2h/g).
    const over = maps.first().locator('.u-over');
    await over.scrollIntoViewIfNeeded();
    const box = await over.boundingBox();
    await page.mouse.click(box.x + 0.03 * box.width, box.y + box.height / 2);
    assert.ok(Math.abs((await time(page)) - Math.sqrt(2 / 9.81)) < 1e-4, String(await time(page)));
    const dot = maps.first().locator('.dot');
    assert.equal(await dot.evaluate((e) => e.style.visibility), 'visible');
    await page.keyboard.press('Home');
    assert.equal(await dot.evaluate((e) => e.style.visibility), 'hidden', 'no point has been passed at the start');
    // A return map: the next point over the present one.
    await maps.first().getByLabel('upwards').selectOption('next x');
    assert.ok(await maps.first().locator('.u-wrap').isVisible());
    assert.equal(await page.locator('i').count(), 0, 'names stay text');
    await looks(page, 'sections');
    assert.deepEqual(errors, []);
  },

  async 'follows the size of the window'(context) {
    const { page, errors } = await open(context, ballReport);
    const widths = () => page.evaluate(() => ['.stage canvas', '.u-wrap'].map((s) => document.querySelector(s).getBoundingClientRect().width));
    for (const width of [1280, 390, 900]) {
      await page.setViewportSize({ width, height: 800 });
      await page.waitForTimeout(200);
      for (const w of await widths()) assert.ok(w > 0.35 * width && w <= width, `${w} of ${width} pixels`);
    }
    assert.deepEqual(errors, []);
  },

  async 'methods stand side by side'(context) {
    const directory = join(work, 'ball');
    const tool = (...words) => execFileSync(program, words, { cwd: work, stdio: 'inherit' });
    tool('audit', join(work, 'ball.toml'), '-o', directory, '--quiet');
    tool('compare', join(work, 'ball.toml'), '--methods', 'variational-collision:trapezoidal,variational-collision:midpoint', '-o', directory, '--quiet');
    for (const kind of ['audit', 'compare']) {
      const { page, errors } = await open(context, join(directory, `${kind}.html`));
      const table = await page.locator('#methods').innerText();
      assert.ok(table.includes('energy, relative range') && table.includes('variational-collision'), table);
      assert.equal(await page.locator('#order .u-wrap').count(), kind === 'audit' ? 1 : 0);
      assert.equal(await page.locator('#plots .u-wrap').count(), kind === 'audit' ? 1 : 2);
      if (kind === 'audit') assert.ok(/slope 1[\s\S]*slope 2/.test(await page.locator('#order').innerText()), 'guides of slope');
      if (kind === 'compare') {
        const ranges = () => page.locator('#plots figure').evaluateAll((list) => list.map((f) => f.dataset.range));
        const [one, other] = await ranges();
        assert.ok(one && one === other, `one scale: ${one}, ${other}`);
        await page.getByLabel('one scale').uncheck();
        assert.deepEqual(await ranges(), [undefined, undefined], 'each its own');
        await page.getByLabel('one scale').check();
        await page.getByLabel('overlay').check();
        assert.equal(await page.locator('#plots .u-wrap').count(), 1, 'both in one plot');
        await page.getByLabel('overlay').uncheck();
      }
      await looks(page, kind);
      assert.deepEqual(errors, []);
    }
  },

  async 'lasting contact is bars and forces'(context) {
    const { page, errors } = await open(context, run('block-on-slope'));
    // Two corners slide, then stick: four bars, one episode each, no impact.
    const bars = page.locator('#plots figure[data-bars]');
    assert.equal(await bars.getAttribute('data-bars'), '4');
    assert.deepEqual(await bars.locator('.modes span').allInnerTexts(), ['sticks', 'slides']);
    assert.equal(await page.locator('#plots figcaption', { hasText: 'Contact forces' }).count(), 1);
    const verdict = await page.locator('#verdict').innerText();
    assert.ok(/2 episodes/.test(verdict) && /0 impacts/.test(verdict) && /Energy balance\s+✓ closes/.test(verdict), verdict);
    assert.equal(await page.locator('.finding.lost').count(), 0, 'friction is no fault');
    assert.deepEqual(await page.locator('.ledger tbody tr td:nth-child(7)').allInnerTexts(), ['rest', 'slide', 'stick']);
    // A click on the bars sets the time of the player.
    const over = bars.locator('.u-over');
    await over.scrollIntoViewIfNeeded();
    const box = await over.boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    assert.ok(Math.abs((await time(page)) - 0.5) < 0.02, 'the middle of the bars is the middle of the run');
    await looks(page, 'lasting');
    assert.deepEqual(errors, []);
  },

  async 'the gallery is one page'(context) {
    execFileSync(program, ['gallery', '-o', join(work, 'gallery'), '--quiet'], { stdio: 'inherit' });
    const { page, errors } = await open(context, join(work, 'gallery/index.html'), 'main li');
    assert.equal(await page.locator('main li').count(), gallery.length);
    await page.locator('img').evaluateAll((images) => images.forEach((image) => (image.loading = 'eager')));
    await page.waitForFunction(() => [...document.images].every((image) => image.complete));
    const broken = await page.locator('img').evaluateAll((images) => images.filter((i) => i.naturalWidth === 0).map((i) => i.src));
    assert.deepEqual(broken, []);
    assert.equal(await page.locator('img').count(), gallery.length);
    await looks(page, 'gallery');
    assert.deepEqual(errors, []);
  },

  async 'text of a scenario stays text'(context) {
    const { page, errors } = await open(context, runText('hostile', ball(hostileTitle)));
    const shown = await page.locator('h1').evaluate((e) => e.textContent);
    assert.equal(shown, hostileTitle);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.locator('img, h1 *, .finding u, td i').count(), 0);
    assert.ok((await page.locator('#verdict').innerText()).includes('horizontal <u>momentum</u>'));
    assert.ok((await page.locator('.source').innerText()).includes('<i>floor</i>'));
    await looks(page, 'hostile');
    assert.deepEqual(errors, []);
  },

  async 'a scenario without view is drawn'(context) {
    const { page, errors } = await open(context, runText('plain', ball('No view', { view: false })));
    assert.ok(await moves(page));
    assert.ok((await page.locator('#motion').innerText()).includes('no [view]'));
    await looks(page, 'plain');
    assert.deepEqual(errors, []);
  },

  // Two equal rods: one episode from t = 0 to 2L/c = 2 with the force ½ and the impulse ½·2 (d'Alembert), shown to the
  // digits of the table.
  async 'bodies have an x–t diagram, stacked energies and episodes'(context) {
    const { page, errors } = await open(context, run('rods-equal'));
    const row = await page.locator('.ledger tbody tr').first().locator('td').allInnerTexts();
    assert.deepEqual(row.slice(0, 7), ['1', '0', '2', 'rod1-rod2', 'interval', '1', '0.5']);
    assert.equal(await page.locator('#impacts .u-wrap').count(), 0, 'episodes have no histograms of steps');
    const titles = await page.locator('#plots figcaption').allInnerTexts();
    for (const title of ['Energies, stacked', 'Contact force: rod1-rod2', 'Energy balance']) assert.ok(titles.some((t) => t.startsWith(title)), `${title} of ${titles}`);
    const legend = await page.locator('#plots figure').nth(titles.findIndex((t) => t.startsWith('Energies'))).locator('.u-legend').innerText();
    assert.ok(legend.includes('energy.kinetic') && !legend.includes('energy.gravity'), 'what is always zero is not shown');
    // The diagram: rod 2 (from x = 1 to 2 of 0 to 4) is under pressure in its middle at t = 1 and free of it at the end.
    const colour = (x, t) => page.locator('.stage canvas').first().evaluate((canvas, [x, t]) => {
      const [w, h] = [canvas.clientWidth, canvas.clientHeight], ratio = canvas.width / w;
      const px = 44 + (x / 4) * (w - 60), py = h - 44 - (t / 3) * (h - 124);
      return [...canvas.getContext('2d').getImageData(Math.round(px * ratio), Math.round(py * ratio), 1, 1).data];
    }, [x, t]);
    const [pressed, free] = [await colour(1.6, 1), await colour(1.1, 0.05)];
    assert.ok(pressed[2] > pressed[0] + 60, `pressure is blue: ${pressed}`);
    assert.ok(Math.abs(free[2] - free[0]) < 10, `no stress is grey: ${free}`);
    await page.keyboard.press('Home');
    await page.keyboard.press('End');
    assert.equal(await time(page), 3);
    await looks(page, 'rods-equal');
    const compared = join(work, 'bodies');
    execFileSync(program, ['compare', 'graded-bar-avi', '--methods', 'verlet,avi', '--set', 'run.duration=2', '-o', compared, '--quiet'], { cwd: work, stdio: 'inherit' });
    const side = await open(context, join(compared, 'compare.html'));
    assert.ok((await side.page.locator('#methods').innerText()).includes('verlet'));
    await looks(side.page, 'compare-bodies');
    assert.deepEqual([...errors, ...side.errors], []);
  },

  async 'every scenario of the gallery opens'(context) {
    const left = [...gallery];
    const worker = async () => {
      for (let name = left.shift(); name; name = left.shift()) await opens(name);
    };
    const opens = async (name) => {
      const { page, errors } = await open(context, run(name));
      assert.ok(await moves(page), `${name}: nothing moves`);
      assert.ok((await page.locator('#plots .u-wrap').count()) >= 2, `${name}: plots`);
      const kinds = [[1280, 'light'], [390, 'dark']];
      await looks(page, name, process.env.RICOCHET_LONG ? kinds : [kinds[gallery.indexOf(name) % 2]]);
      assert.deepEqual(errors, [], name);
      await page.close();
    };
    await Promise.all([worker(), worker()]);
  },

  async 'a run of a million steps opens within three seconds'(context) {
    const file = runText('long', ball('Long run', { duration: 10000 }));
    const size = statSync(file).size / 1e6;
    assert.ok(size < 6, `the report has ${size} MB`);
    const start = performance.now();
    const { page, errors } = await open(context, file);
    await page.waitForSelector('#scenario');
    const seconds = (performance.now() - start) / 1000;
    assert.ok(seconds < 3, `opened in ${seconds} s`);
    await page.keyboard.press('Space');
    const frames = await page.evaluate(() => new Promise((done) => {
      let n = 0;
      const start = performance.now();
      const next = () => (++n, performance.now() - start < 1000 ? requestAnimationFrame(next) : done(n));
      requestAnimationFrame(next);
    }));
    assert.ok(frames >= 10, `${frames} frames a second while it plays`);
    assert.ok((await page.locator('.ledger p').innerText()).includes('Showing'));
    await looks(page, 'long');
    console.log(`  ${size.toFixed(2)} MB, open after ${seconds.toFixed(2)} s, ${frames} frames a second`);
    assert.deepEqual(errors, []);
  },
};

let failed = 0;
await withBrowser(async (context) => {
  for (const [name, test] of Object.entries(tests)) {
    if (process.env.ONLY && !name.includes(process.env.ONLY)) continue;
    const start = performance.now();
    try {
      await test(context);
      console.log(`ok    ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
    } catch (error) {
      ++failed;
      console.log(`FAIL  ${name}\n${error.stack}`);
    }
  }
});
rmSync(work, { recursive: true, force: true });
process.exit(failed ? 1 : 0);
