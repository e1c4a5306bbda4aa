// Builds dist/report.html: one file, everything inlined. The scripts of 3D scenes are a part of their own, between
// marks, which the program leaves out of the reports of plane scenes.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, defineConfig } from 'vite';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const inScript = (code) => code.replaceAll('</script', '<\\/script').trim();

async function scene3d() {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2020',
      lib: { entry: at('src/scene3d.ts'), name: 'ricochetScene3d', formats: ['iife'], fileName: 'scene3d' },
    },
  });
  return result[0].output[0].code;
}

function oneFile() {
  return {
    name: 'one-file',
    enforce: 'post',
    async generateBundle(_, bundle) {
      const parts = Object.values(bundle);
      const code = parts.filter((p) => p.type === 'chunk').map((p) => p.code).join('\n');
      const style = parts.filter((p) => p.fileName.endsWith('.css')).map((p) => p.source).join('\n');
      const three = inScript(await scene3d());
      const source = readFileSync(at('report.html'), 'utf8')
        .replace('<script type="module" src="/src/main.ts"></script>', () =>
          `<!--3d--><script>${three}</script><!--/3d-->\n<script type="module">${inScript(code)}</script>`)
        .replace('</head>', () => `<style>${style.trim()}</style>\n</head>`);
      for (const name of Object.keys(bundle)) delete bundle[name];
      this.emitFile({ type: 'asset', fileName: 'report.html', source });
    },
  };
}

export default defineConfig({
  plugins: [oneFile()],
  build: { target: 'es2020', modulePreload: false, cssCodeSplit: false, rollupOptions: { input: at('report.html') } },
  test: { include: ['tests/**/*.test.ts'] },
});
