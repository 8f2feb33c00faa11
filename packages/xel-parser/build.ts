/**
 * `npm run build -w xel-parser [-- FOLDER]`: the package as it would be published, in `dist` or the given folder: plain
 * JavaScript, declarations, source maps with their sources, and a manifest that points to them. Nothing in this
 * repository reads it: here the sources run directly.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import manifest from "./package.json" with { type: "json" };

const ROOT = import.meta.dirname;
const target = resolve(process.argv[2] ?? join(ROOT, "dist"));

rmSync(target, { recursive: true, force: true });
compile();
for (const file of globSync("**/*.d.ts", { cwd: target })) namePlainFiles(join(target, file));
for (const name of globSync("{README.md,LICENSE}", { cwd: ROOT }))
  copyFileSync(join(ROOT, name), join(target, name));
writeFileSync(join(target, "package.json"), `${JSON.stringify(published(), null, 2)}\n`);

function compile(): void {
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
    "bin/tsc",
  );
  const args = [compiler, "-p", join(ROOT, "tsconfig.build.json"), "--outDir", target];
  execFileSync(process.execPath, args, { stdio: "inherit" });
}

/** The compiler keeps `.ts` in the imports of declarations, where only newer compilers find the declarations. */
function namePlainFiles(path: string): void {
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.replaceAll(/(from |import\()"(\.[^"]*)\.ts"/gu, '$1"$2.js"'));
}

/** The manifest with the built files in place of the sources. */
function published(): object {
  const repository = JSON.parse(readFileSync(join(ROOT, "../../package.json"), "utf8"));
  const { devDependencies: _, scripts: _scripts, exports, ...rest } = manifest;
  const entries = Object.entries(exports).map(([name, source]) => [name, builtOf(source)]);
  return {
    ...rest,
    engines: repository.engines,
    exports: Object.fromEntries(entries),
    bin: { xel: "./bin/xel.js" },
    files: ["src", "bin"],
  };
}

function builtOf(source: string): { types: string; default: string } {
  return { types: source.replace(/\.ts$/u, ".d.ts"), default: source.replace(/\.ts$/u, ".js") };
}
