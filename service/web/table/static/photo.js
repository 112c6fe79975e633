/* A photo of a card, made small on this device: what is sent has no metadata, and few bytes. */

/** The longer side in pixels; bytes at most; how well it is drawn, the best first. */
const SIDE = 1000;
const BYTES = 200_000;
const QUALITIES = [0.85, 0.7, 0.5, 0.3];

const jpeg = (canvas, quality) => new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));

/** A picture file as a canvas, the right way up; rejects what is no picture. */
export async function drawn(file) {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff"; // what lets light through would be black
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  return canvas;
}

/** What is sent of it. */
export async function small(canvas) {
  let found = null;
  for (const quality of QUALITIES) {
    found = await jpeg(canvas, quality);
    if (found && found.size <= BYTES) break;
  }
  return found;
}
