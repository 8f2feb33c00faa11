/** The package as it would be published: built, packed, installed in an empty folder, and used from there. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const PACKAGE = join(import.meta.dirname, "..");
const ROOT = join(PACKAGE, "../..");
const CAPTURE = ["primary", "secondary"].map((role) => join(ROOT, "fixtures/captures/slow-network", role));
const place = mkdtempSync(join(tmpdir(), "aglens-cli-package-"));
const installed = join(place, "node_modules/@aglens/cli");
afterAll(() => rmSync(place, { recursive: true }));

interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(command: string, args: readonly string[], cwd = place): Run {
  const { NODE_OPTIONS: _, ...env } = process.env;
  // On Windows npm is a script, which only a shell starts.
  const shell = process.platform === "win32" && command === "npm";
  return spawnSync(command, args, { cwd, env, encoding: "utf8", maxBuffer: 2 ** 26, shell });
}

const xel = (...args: string[]): Run => run(process.execPath, [join(installed, "bin/xel.js"), ...args]);

const manifest = (): { readonly dependencies: Readonly<Record<string, string>> } =>
  JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));

beforeAll(() => {
  const built = join(place, "built");
  expect(run(process.execPath, [join(PACKAGE, "build.ts"), built])).toMatchObject({ status: 0 });
  const packed = run("npm", ["pack", built, "--json", "--offline", "--pack-destination", place]);
  const [{ filename }] = JSON.parse(packed.stdout) as [{ readonly filename: string }];
  mkdirSync(installed, { recursive: true });
  run("tar", ["-xzf", join(place, filename), "-C", installed, "--strip-components=1"]);
  // The dependencies are those of the tests: nothing is installed.
  for (const name of Object.keys(manifest().dependencies)) {
    mkdirSync(dirname(join(place, "node_modules", name)), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), join(place, "node_modules", name), "dir");
  }
}, 60_000);

test("it has the command as plain JavaScript, and depends on packages of others alone", () => {
  const files = readdirSync(installed, { recursive: true, encoding: "utf8" });
  expect(files.filter((name) => !/^bin(?:[/\\]|$)/u.test(name)).sort()).toEqual([
    "README.md",
    "package.json",
  ]);
  expect(files.filter((name) => name.startsWith("bin") && !/(?:^bin|\.js)$/u.test(name))).toEqual([]);
  expect(readFileSync(join(installed, "bin/xel.js"), "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/u);
  const { dependencies, ...rest } = manifest();
  expect(rest).toMatchObject({ type: "module", bin: { xel: "./bin/xel.js" } });
  expect(Object.keys(dependencies)).toEqual(
    expect.arrayContaining(["apache-arrow", "hyparquet-writer", "papaparse"]),
  );
  expect(Object.keys(dependencies).filter((name) => /^(?:@aglens|xel-parser)/u.test(name))).toEqual([]);
  // Exact versions: those that the tests ran with.
  for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/u);
});

test("each command of it works in an empty folder", () => {
  const source = run(process.execPath, [join(PACKAGE, "bin/xel.ts"), "--help"]);
  expect(xel("--help")).toEqual(expect.objectContaining({ status: 0, stdout: source.stdout, stderr: "" }));
  expect(xel("analyze", ...CAPTURE)).toMatchObject({ status: 0, stderr: "" });
  expect(xel("waiting", ...CAPTURE, "--json")).toMatchObject({ status: 0 });
  expect(xel("check", ...CAPTURE).status).toBe(0);
  expect(xel("what-if", ...CAPTURE, "--change", "async:Secondary")).toMatchObject({ status: 0, stderr: "" });
  expect(xel("session", "create").stdout).toContain("CREATE EVENT SESSION");
  expect(xel("tables", ...CAPTURE, "--out", "tables", "--parquet")).toMatchObject({ status: 0, stderr: "" });
  expect(readdirSync(join(place, "tables"))).toContain("blocks.parquet");
  expect(xel("tables", ...CAPTURE, "--out", "raw", "--events")).toMatchObject({ status: 0, stderr: "" });
  const events = readdirSync(join(place, "raw"));
  expect(events).toContain("hadr_capture_log_block.arrow");
  const [primary = ""] = CAPTURE;
  const [file = ""] = readdirSync(primary);
  const path = join(primary, file);
  expect(xel("info", path)).toMatchObject({ status: 0, stderr: "" });
  const dumped = xel(
    "dump",
    path,
    "--event",
    "hadr_capture_log_block",
    "--columns",
    "name",
    "--format",
    "csv",
  );
  expect(new Set(dumped.stdout.trim().split("\r\n").slice(1))).toEqual(new Set(["hadr_capture_log_block"]));
}, 60_000);
