/**
 * Scripts, styles and fonts of the screen that an address opens, named in its page's head: the browser fetches them
 * together with the app's own script, not after it has run.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Entry of the build's manifest (Vite) for a script: its file, its styles and the entries of its imports. */
interface Entry {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

type Manifest = Readonly<Record<string, Entry>>;

/** The app's own script, which the page names itself. */
const OWN = "index.html";

/** Fonts of an English page. */
const FIRST_FONT = /-latin-wght-normal\.woff2$/u;

/** Tags for the head of a page. @param directory the built web app; without a manifest the list is empty */
export function screenTags(directory: string, path: string): string[] {
  const manifest = manifestOf(directory);
  const screen = Object.keys(manifest).find((name) => name.endsWith(`/${screenOf(path)}-screen.tsx`));
  const entries = screen === undefined ? [] : withImports(manifest, screen);
  const styles = new Set(entries.flatMap(({ css = [] }) => css));
  const fonts = Object.keys(manifest).filter((name) => FIRST_FONT.test(name));
  return [
    ...entries.map(({ file }) => `<link rel="modulepreload" crossorigin href="./${file}">`),
    ...[...styles].map((file) => preload("style", file)),
    ...fonts.flatMap((name) => preload("font", manifest[name]?.file ?? "")),
  ];
}

const preload = (as: string, file: string): string =>
  `<link rel="preload" as="${as}" crossorigin href="./${file}">`;

function manifestOf(directory: string): Manifest {
  try {
    return JSON.parse(readFileSync(join(directory, ".vite", "manifest.json"), "utf8")) as Manifest;
  } catch {
    // Anything that is served in place of the built app finds its own files.
    return {};
  }
}

/** The name by which the sources call the screen of an address (apps/web/src/app.tsx). */
function screenOf(path: string): string {
  const [, place = "", id = "", tab = ""] = path.split("/");
  if (place === "captures" || place === "l") return id === "" ? "library" : tab || "overview";
  if (place === "live") return id === "" ? "attach" : "live";
  if (place === "sql") return "all-sql";
  return place === "" ? "captures" : place;
}

/** A script and all that it imports, without the app's own. */
function withImports(manifest: Manifest, name: string, found = new Set<string>()): Entry[] {
  const entry = manifest[name];
  if (entry === undefined || name === OWN || found.has(name)) return [];
  found.add(name);
  return [entry, ...(entry.imports ?? []).flatMap((imported) => withImports(manifest, imported, found))];
}
