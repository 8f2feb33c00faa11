/** The package as it would be published: built, packed, unpacked elsewhere, and used from there. */
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { readXelBytes, toJson } from "./format/index.ts";

const PACKAGE = join(import.meta.dirname, "..");
const ROOT = join(PACKAGE, "../..");
const CAPTURE = join(ROOT, "fixtures/captures/slow-secondary-disk");
const fileOf = (role: string): string => join(CAPTURE, role, readdirSync(join(CAPTURE, role))[0]);
const place = mkdtempSync(join(tmpdir(), "xel-package-"));
const installed = join(place, "node_modules/xel-parser");
afterAll(() => rmSync(place, { recursive: true }));

interface Packed {
  readonly filename: string;
  /** Bytes, packed and unpacked. */
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}
let packed: Packed;

function run(command: string, args: readonly string[]): string {
  const maxBuffer = 64 * 1024 * 1024;
  return execFileSync(command, args, {
    cwd: place,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer,
    // On Windows npm is a script, which only a shell starts.
    shell: process.platform === "win32" && command === "npm",
  });
}

/** Runs plain JavaScript as a user of the package would, and returns its output. */
function script(name: string, lines: readonly string[]): unknown {
  const path = join(place, name);
  writeFileSync(path, lines.join("\n"));
  return JSON.parse(run(process.execPath, [path]));
}

const read = (role: string): string => `createReadStream(${JSON.stringify(fileOf(role))})`;

beforeAll(() => {
  const built = join(place, "built");
  run(process.execPath, [join(PACKAGE, "build.ts"), built]);
  [packed] = JSON.parse(run("npm", ["pack", built, "--json", "--offline", "--pack-destination", place]));
  mkdirSync(installed, { recursive: true });
  run("tar", ["-xzf", join(place, packed.filename), "-C", installed, "--strip-components=1"]);
  const { dependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  // The dependencies are those of the tests: nothing is installed.
  for (const name of Object.keys(dependencies)) {
    symlinkSync(join(ROOT, "node_modules", name), join(place, "node_modules", name), "dir");
  }
});

test("it holds what a user needs, and nothing else", () => {
  const paths = packed.files.map(({ path }) => path);
  expect(paths.filter((path) => !/^(?:src|bin)\//u.test(path))).toEqual(["README.md", "package.json"]);
  expect(paths.filter((path) => !/\.(?:js|js\.map|d\.ts)$/u.test(path))).toEqual([
    "README.md",
    "package.json",
  ]);
  expect(paths.filter((path) => /test|bench|fuzz/u.test(path))).toEqual([]);
  const rooms = paths.filter((path) => path.startsWith("src/")).map((path) => path.split("/")[1]);
  expect([...new Set(rooms)].sort()).toEqual(["format", "text-events", "writer"]);
  const sources = paths.filter((path) => path.endsWith(".js"));
  for (const path of sources) {
    expect(paths).toContain(path.replace(/\.js$/u, ".d.ts"));
    // The maps contain their sources, which are not in the package.
    const map = JSON.parse(readFileSync(join(installed, `${path}.map`), "utf8"));
    expect(map.sourcesContent, path).toHaveLength(1);
  }
  const own = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  expect(Object.keys(own.dependencies)).toEqual(["papaparse", "saxes"]);
  expect(own.devDependencies).toBeUndefined();
  expect(own).toMatchObject({ type: "module", sideEffects: false, engines: { node: ">=20.19" } });
  expect(Object.keys(own.exports)).toEqual(Object.keys(manifest.exports));
});

test("its size is the one that the README states, within 15 %", () => {
  const text = readFileSync(join(PACKAGE, "README.md"), "utf8");
  const stated =
    /(?<packed>\d+) kB packed, (?<unpacked>[\d.]+) MB unpacked with (?<maps>[\d.]+) MB of source maps\. `xel-parser\/format` is (?<format>\d+) kB/u.exec(
      text,
    )?.groups ?? {};
  const sum = (pattern: RegExp): number =>
    packed.files.filter(({ path }) => pattern.test(path)).reduce((bytes, { size }) => bytes + size, 0);
  const bytes = {
    packed: packed.size / 1e3,
    unpacked: packed.unpackedSize / 1e6,
    maps: sum(/\.map$/u) / 1e6,
    format: sum(/^src\/format\/.*\.js$/u) / 1e3,
  };
  for (const [part, size] of Object.entries(bytes)) {
    expect(Number(stated[part]), part).toBeGreaterThan(size * 0.85);
    expect(Number(stated[part]), part).toBeLessThan(size * 1.15);
  }
});

test("it is ready for provenance, and lacks only the fields that the README tells to fill in", () => {
  const own = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  expect(own.publishConfig).toEqual({ access: "public", provenance: true });
  const text = readFileSync(join(PACKAGE, "README.md"), "utf8");
  for (const field of ["license", "repository"])
    if (!(field in own)) expect(text).toContain(`Set \`${field}\``);
});

describe("plain JavaScript", () => {
  const { events } = readXelBytes(readFileSync(fileOf("primary")));

  test("reads .xel files, and writes them", () => {
    const printed = script("format.mjs", [
      'import { createReadStream } from "node:fs";',
      'import { readXel, readXelBytes, toJson } from "xel-parser/format";',
      'import { createXelWriter } from "xel-parser/writer";',
      "const lines = [];",
      `for await (const event of readXel(${read("primary")})) lines.push(toJson(event));`,
      'const columns = [{ name: "n", type: "uint64" }];',
      'const events = [{ name: "e", columns }];',
      'const writer = createXelWriter({ packages: [{ name: "p", id: 1, events }] });',
      'writer.write("e", 0, { n: 7 });',
      "const [written] = readXelBytes(writer.finish()).events;",
      "console.log(JSON.stringify([lines.length, JSON.parse(lines[9]).name, String(written.fields.n)]));",
    ]);
    expect(printed).toEqual([events.length, events[9].name, "7"]);
  });

  test("reads event XML and CSV", () => {
    const printed = script("text.mjs", [
      'import { readTextEvents, textKindOf } from "xel-parser/text-events";',
      'const texts = [`<event name="a" timestamp="2026-01-02T03:04:05Z"/>`, "name,timestamp\\nb,2026-01-02 03:04:05"];',
      "const names = [];",
      "for (const text of texts) {",
      "  const bytes = new TextEncoder().encode(text);",
      "  const chunks = async function* () { yield bytes; };",
      "  for await (const { name } of readTextEvents(textKindOf(bytes), chunks())) names.push(name);",
      "}",
      "console.log(JSON.stringify(names));",
    ]);
    expect(printed).toEqual(["a", "b"]);
  });

  test("reaches only what is public", () => {
    const printed = script("closed.mjs", [
      "const tries = ['xel-parser', 'xel-parser/events', 'xel-parser/src/format/cursor.js'];",
      "console.log(JSON.stringify(await Promise.all(tries.map((name) => import(name).catch((e) => e.code)))));",
    ]);
    expect(printed).toEqual(Array(3).fill("ERR_PACKAGE_PATH_NOT_EXPORTED"));
  });

  test("and the command runs", () => {
    // npx with the name of the command would get a package of others.
    const readme = readFileSync(join(PACKAGE, "README.md"), "utf8");
    expect(new Set(Array.from(readme.matchAll(/^npx (\S+)/gmu), ([, name]) => name))).toEqual(
      new Set([manifest.name]),
    );
    const { bin } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    const command = (name: string): string =>
      run(process.execPath, [join(installed, bin.xel), name, fileOf("primary")]);
    expect(command("info")).toContain(`events   ${events.length}\n`);
    expect(command("dump").trimEnd().split("\n")).toEqual(events.map(toJson));
    expect(readFileSync(join(installed, bin.xel), "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/u);
  });
});

test.each(["NodeNext", "Bundler"])("TypeScript finds the types, module resolution %s", (moduleResolution) => {
  const source = [
    'import { XelFormatError, openXel, readXel, type FileReport, type XelEvent } from "xel-parser/format";',
    'import { createXelWriter, type WriterSchema } from "xel-parser/writer";',
    'import { readEventXml } from "xel-parser/text-events";',
    "export async function sizes(chunks: AsyncIterable<Uint8Array>): Promise<number> {",
    "  let sum = 0;",
    "  for await (const event of readXel(chunks, { limits: { columns: 9 }, force: true })) {",
    '    sum += Number(event.fields["log_block_size"]);',
    "    // @ts-expect-error ticks are bigint",
    "    const ticks: number = event.ticks;",
    "  }",
    "  return sum;",
    "}",
    "export const used = [XelFormatError, openXel, createXelWriter, readEventXml];",
    "export type Used = FileReport | XelEvent | WriterSchema;",
  ];
  const file = join(place, "consumer.ts");
  writeFileSync(file, source.join("\n"));
  writeFileSync(join(place, "package.json"), '{ "type": "module" }');
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
    "bin/tsc",
  );
  const module = moduleResolution === "Bundler" ? "ESNext" : moduleResolution;
  // No types of Node, no DOM, and the declarations themselves are checked too.
  const flags = "--noEmit --strict --exactOptionalPropertyTypes --target ES2022 --lib ES2022 --types".split(
    " ",
  );
  const args = [compiler, ...flags, "--module", module, "--moduleResolution", moduleResolution, file];
  expect(run(process.execPath, args)).toBe("");
});
