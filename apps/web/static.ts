/**
 * `npm run build:static`: the page alone as a folder for any web server or file share. Where it is served over HTTPS, browsers offer to
 * install it, and it opens without a network from then on.
 */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";

const here = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

const MANIFEST = {
  name: "AG Lens",
  short_name: "AG Lens",
  description: "Reads Extended Events files of Always On replicas and shows where commit time goes.",
  start_url: "./",
  display: "standalone",
  background_color: "#f4f5f7",
  theme_color: "#ffffff",
  icons: [{ src: "./icon.svg", sizes: "any", type: "image/svg+xml" }],
};

/** The files of the folder by name. @param page the product as one HTML file */
export function staticFiles(page: string): Readonly<Record<string, string>> {
  const index = replaceOnce(
    replaceOnce(page, '<meta name="aglens-alone">', '<meta name="aglens-alone" content="installable">'),
    "worker-src blob:;",
    "worker-src blob: 'self'; manifest-src 'self';",
  ).replace("</head>", () => '<link rel="manifest" href="./manifest.webmanifest"></head>');
  const version = createHash("sha256").update(index).digest("hex").slice(0, 16);
  return {
    "index.html": index,
    "manifest.webmanifest": JSON.stringify(MANIFEST, null, 2),
    "icon.svg": here("src/ui/logo.svg"),
    "service-worker.js": replaceOnce(here("service-worker.js"), "__VERSION__", version),
  };
}

function replaceOnce(text: string, from: string, to: string): string {
  if (text.split(from).length !== 2) throw new Error(`The page has ${from} not once.`);
  return text.replace(from, () => to);
}

/** The folder as a zip, which a server offers for download. The same page results in the same bytes. */
export function staticZip(page: string): Uint8Array<ArrayBuffer> {
  const files = Object.entries(staticFiles(page)).map(
    ([name, content]) => [`ag-lens/${name}`, strToU8(content)] as const,
  );
  return zipSync(Object.fromEntries(files), { level: 9, mtime: new Date(2020, 0, 1) });
}

/** Writes the folder again from the start. */
export function writeStatic(page: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(staticFiles(page))) writeFileSync(join(folder, name), content);
}

if (import.meta.main) {
  const folder = join(import.meta.dirname, "dist", "static");
  writeStatic(here("dist/alone/ag-lens.html"), folder);
  console.log(folder);
}
