// Draws the first page of each file with pdf.js, annotations included: a.pdf becomes a-pdfjs.ppm.
// The first argument is the directory in which npm put the packages.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [packages, ...names] = process.argv.slice(2);
const home = join(packages, "pdfjs-dist");
const { getDocument, VerbosityLevel } = await import(pathToFileURL(join(home, "legacy/build/pdf.mjs")));

for (const name of names) {
  const loading = getDocument({
    data: new Uint8Array(await readFile(name)),
    standardFontDataUrl: join(home, "standard_fonts/"),
    verbosity: VerbosityLevel.ERRORS,
  });
  const document = await loading.promise;
  const page = await document.getPage(1);
  const viewport = page.getViewport({ scale: 1 });
  const [width, height] = [Math.ceil(viewport.width), Math.ceil(viewport.height)];
  const { canvas, context } = document.canvasFactory.create(width, height);
  await page.render({ canvas, viewport, background: "white" }).promise;
  const { data } = context.getImageData(0, 0, width, height);
  const colours = Buffer.from(data.filter((_, at) => at % 4 !== 3));
  await writeFile(name.replace(/\.pdf$/, "-pdfjs.ppm"), Buffer.concat([Buffer.from(`P6 ${width} ${height} 255\n`), colours]));
  await loading.destroy();
}
