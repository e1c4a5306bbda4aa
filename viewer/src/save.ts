// Saving what the page shows: a picture or a video of the player, a table as CSV.

export function download(name: string, blob: Blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// A file name of a title: letters, digits and dashes.
export const fileName = (title: string) =>
  title.normalize('NFKD').replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+|-+$/g, '').slice(0, 60).toLowerCase() || 'ricochet';

// The canvas on the colour of its panel: a transparent picture is unreadable on another background.
export function picture(canvas: HTMLCanvasElement, background: string): HTMLCanvasElement {
  const copy = document.createElement('canvas');
  copy.width = canvas.width;
  copy.height = canvas.height;
  const c = copy.getContext('2d')!;
  c.fillStyle = background;
  c.fillRect(0, 0, copy.width, copy.height);
  c.drawImage(canvas, 0, 0);
  return copy;
}

export const videoKind = () =>
  typeof MediaRecorder === 'undefined' ? null : (['video/webm;codecs=vp9', 'video/webm', 'video/mp4'].find((kind) => MediaRecorder.isTypeSupported(kind)) ?? null);

// Records a canvas that `paint` fills again on every frame, until `stop` of the answer is called.
export function record(paint: () => HTMLCanvasElement, kind: string, done: (video: Blob) => void): { stop: () => void } {
  const first = paint();
  const canvas = document.createElement('canvas');
  canvas.width = first.width & ~1; // encoders want even numbers
  canvas.height = first.height & ~1;
  const c = canvas.getContext('2d')!;
  c.drawImage(first, 0, 0);
  const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: kind, videoBitsPerSecond: 4e6 });
  const parts: Blob[] = [];
  recorder.ondataavailable = (event) => parts.push(event.data);
  recorder.onstop = () => done(new Blob(parts, { type: kind.split(';')[0] }));
  let running = true;
  const next = () => {
    if (!running) return;
    c.drawImage(paint(), 0, 0);
    requestAnimationFrame(next);
  };
  recorder.start();
  next();
  return {
    stop: () => {
      if (!running) return;
      running = false;
      recorder.stop();
    },
  };
}

// RFC 4180; a text that a spreadsheet would take for a formula has an apostrophe in front, as in ledger.csv.
export function csv(heads: string[], rows: (string | number)[][]): string {
  const cell = (v: string | number) => {
    if (typeof v === 'number') return Number.isFinite(v) ? String(v) : '';
    const text = /^[=+\-@\t\r]/.test(v) ? `'${v}` : v;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [heads, ...rows].map((row) => row.map(cell).join(',')).join('\n') + '\n';
}
