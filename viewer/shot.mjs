// node shot.mjs OUT width scheme full file...
import { withBrowser, open } from './e2e/browser.mjs';
const [out, ...files] = process.argv.slice(2);
await withBrowser(async (c) => {
  for (const f of files) {
    const name = f.replace(/\/(report|index)\.html$/, '').replace(/\.html$/, '').split('/').slice(-2).join('_');
    const { page, errors } = await open(c, f, 'body');
    for (const [w, h, s] of [[1280, 800, 'light'], [1280, 800, 'dark'], [390, 740, 'light'], [390, 740, 'dark']]) {
      if (process.env.KINDS && !process.env.KINDS.includes(`${w}${s[0]}`)) continue;
      await page.setViewportSize({ width: w, height: h });
      await page.emulateMedia({ colorScheme: s });
      await page.waitForTimeout(250);
      if (process.env.SEEK) { await page.locator('.timeline input').evaluate((e, v) => { e.value = Number(e.min) + v * (Number(e.max) - Number(e.min)); e.dispatchEvent(new Event('input')); }, Number(process.env.SEEK)); await page.waitForTimeout(150); }
      await page.screenshot({ path: `${out}/${name}-${w}-${s}.png`, fullPage: !process.env.FOLD });
    }
    if (errors.length) console.log(name, errors);
    await page.close();
  }
});
