/**
 * `npm run build -w @aglens/cli [-- FOLDER]`: the command as a package of its own, in `dist` or the given folder. The
 * packages of this repository are bundled as plain JavaScript; packages of others stay dependencies. Nothing in this
 * repository reads it: here the sources run directly.
 */
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { join, resolve } from "node:path";
import { build } from "rolldown";
import manifest from "./package.json" with { type: "json" };

const ROOT = import.meta.dirname;
const target = resolve(process.argv[2] ?? join(ROOT, "dist"));

/** zstd in zlib, which Parquet files need. */
const NODE = ">=22.15";

rmSync(target, { recursive: true, force: true });
const { output } = await build({
  cwd: ROOT,
  platform: "node",
  // A thread's script is found next to the script that starts it.
  input: { xel: "bin/xel.ts", "event-worker": "../ag-model/bin/event-worker.ts" },
  external: (id) => !/^(?:\.|\/|[A-Za-z]:|@aglens\/|xel-parser)/u.test(id),
  output: {
    dir: join(target, "bin"),
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "shared-[name].js",
  },
});
const own = new Set(output.map(({ fileName }) => fileName));
const imported = output.flatMap((file) =>
  file.type === "chunk" ? [...file.imports, ...file.dynamicImports] : [],
);
const packages = new Set(imported.filter((id) => !own.has(id) && !isBuiltin(id)).map(packageOf));
const dependencies = Object.fromEntries([...packages].sort().map((name) => [name, versionOf(name)]));
copyFileSync(join(ROOT, "README.md"), join(target, "README.md"));
writeFileSync(join(target, "package.json"), `${JSON.stringify(published(), null, 2)}\n`);

/** Name of the package of an import: `hyparquet-writer/src/index.js` is of `hyparquet-writer`. */
function packageOf(id: string): string {
  return id
    .split("/")
    .slice(0, id.startsWith("@") ? 2 : 1)
    .join("/");
}

function versionOf(name: string): string {
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const path = folders.map((folder) => join(folder, name, "package.json")).find((file) => existsSync(file));
  if (path === undefined) throw new Error(`The package ${name} isn't installed.`);
  return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version;
}

function published(): object {
  const { name, version, private: isPrivate, description, type } = manifest;
  return {
    name,
    version,
    private: isPrivate,
    description,
    type,
    engines: { node: NODE },
    bin: { xel: "./bin/xel.js" },
    files: ["bin"],
    dependencies,
  };
}
