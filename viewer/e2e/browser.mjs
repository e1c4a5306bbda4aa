// Debian's Chromium without network or profile, and a page whose errors are kept.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const quiet = ['--no-sandbox', '--disable-gpu', '--enable-unsafe-swiftshader', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--no-first-run'];

export async function withBrowser(body) {
  const profile = mkdtempSync(join(tmpdir(), 'ricochet-chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    args: quiet,
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce', // a test starts the player when it wants to
  });
  try {
    return await body(context);
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

// Opens a file; any console error, exception or request that leaves the file fails the test that asks for `errors`.
export async function open(context, file, ready = '#page > *') {
  const page = await context.newPage();
  const errors = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('request', (request) => !/^(file|data|blob):/.test(request.url()) && errors.push(`request: ${request.url()}`));
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector(ready);
  return { page, errors };
}
