// A canvas with as many pixels as the screen has in its place, drawn on in the units of the page.

export function fitToPlace(context: CanvasRenderingContext2D): [width: number, height: number] {
  const { canvas } = context;
  const ratio = devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return [width, height];
}
