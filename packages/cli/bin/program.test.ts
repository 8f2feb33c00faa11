/** The program as a process: its folders, its exit codes, and its messages about them. */
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { EXIT, EXIT_CODES_TEXT } from "xel-parser/commands";

const PROGRAM = fileURLToPath(new URL("xel.ts", import.meta.url));
const CAPTURE = fileURLToPath(new URL("../../../fixtures/captures/slow-network/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "aglens-program-"));
afterAll(() => rmSync(folder, { recursive: true }));

const xel = (...args: string[]) =>
  spawnSync(process.execPath, [PROGRAM, ...args], { encoding: "utf8", timeout: 60_000 });

const capture = join(folder, "capture");
mkdirSync(capture);
for (const name of readdirSync(CAPTURE, { recursive: true, encoding: "utf8" }).filter((name) =>
  /\.x(?:el|ml)$/u.test(name),
))
  copyFileSync(join(CAPTURE, name), join(capture, basename(name)));

test("a folder is a capture for each command, and the folder to write into is none", () => {
  const whole = xel("analyze", capture);
  expect(whole).toMatchObject({ status: 0, stderr: "" });
  expect(whole.stdout).toContain("To SQL2");
  expect(xel("waiting", capture)).toMatchObject({ status: 0, stderr: "" });
  expect(xel("what-if", capture, "--change", "async:SQL2")).toMatchObject({ status: 0, stderr: "" });
  expect(xel("tables", capture, "--out", join(folder, "tables"))).toMatchObject({ status: 0, stderr: "" });
  writeFileSync(join(folder, "tables", "ERRORLOG"), "no events");
  const again = xel("tables", capture, join(folder, "gone"), "--out", join(folder, "tables"));
  expect(again).toMatchObject({ status: 3 });
  expect(again.stderr).toMatch(/^Can't read .*gone: no such file or folder exists\..*\n$/u);
});

test("a folder to write into that is a file is a sentence", () => {
  const out = join(folder, "file");
  writeFileSync(out, "");
  const { status, stderr } = xel("tables", capture, "--out", out);
  expect(stderr).toMatch(/^Can't write to .*file: .*\. Choose another folder with --out\.\n$/u);
  expect(status).toBe(4);
});

test.runIf(process.platform === "linux")(
  "the bytes below a folder count for the memory that the program starts with",
  () => {
    const large = join(folder, "large");
    mkdirSync(join(large, "sub"), { recursive: true });
    for (const path of [join(large, "a.xel"), join(large, "sub", "b.xel")]) {
      writeFileSync(path, "");
      truncateSync(path, 150 * 2 ** 20);
    }
    const shown =
      "data:text/javascript,import{isMainThread}from'node:worker_threads';isMainThread&&console.log(process.env.MALLOC_ARENA_MAX)";
    const { MALLOC_ARENA_MAX: _, MALLOC_MMAP_THRESHOLD_: __, ...env } = process.env;
    const run = (path: string) =>
      spawnSync(process.execPath, ["--import", shown, PROGRAM, "analyze", path], {
        env,
        encoding: "utf8",
        timeout: 60_000,
      });
    expect(run(large).stdout).toBe("undefined\n1\n");
    expect(run(large).status).toBe(4);
    expect(run(join(large, "sub")).stdout).toBe("undefined\n");
  },
);

const document = readFileSync(new URL("../../../docs/reference/cli.md", import.meta.url), "utf8");
const help = xel("--help").stdout;
const COMMANDS = Array.from(help.matchAll(/^ {2}xel (\S+)/gmu), ([, name = ""]) => name);

test("docs/reference/cli.md has the usage text, as the command prints it", () => {
  const [, block = ""] = document.split(/^```\n/mu);
  expect(block.trim()).toBe(help.trim());
});

test.each(COMMANDS)("docs/reference/cli.md has the options of xel %s, as the command prints them", (name) => {
  const { status, stdout, stderr } = xel(name, "--help");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(document).toContain(`\n\`\`\`\n${stdout}\`\`\`\n`);
  expect(stdout.split("\n").filter((line) => line.length > 120)).toEqual([]);
});

const VALUES: Readonly<Record<string, string>> = {
  "--since": "2026-05-14",
  "--until": "2026-05-15",
  "--where": "name=x",
  "--change": "async:SQL2",
  "--name": "Session",
};

test.each(COMMANDS.slice(0, -1))("xel %s accepts each option of its help", (name) => {
  const options = Array.from(xel(name, "--help").stdout.matchAll(/^ {2}(--\S+)( \S+)?/gmu));
  const each = options.map(([, option = "", value]) =>
    value === undefined
      ? [option]
      : [option, VALUES[option] ?? value.trim().split("|")[1] ?? join(folder, "none")],
  );
  expect(options.length).toBeGreaterThan(0);
  // Some options of tables and session exclude each other.
  const runs: Readonly<Record<string, string[][]>> = {
    tables: each.map((one) => (one[0] === "--out" ? one : ["--out", folder, ...one])),
    session: each,
  };
  for (const run of runs[name] ?? [each.flat()]) {
    const { status, stderr } = xel(name, ...(name === "session" ? [] : [join(folder, "none.xel")]), ...run);
    expect(stderr).not.toMatch(/unknown|needs/iu);
    expect(status).toBe(name === "session" ? 0 : 4);
  }
});

test("bash completes commands, options and their values from the script of xel completion", () => {
  const { status, stdout } = xel("completion", "bash");
  expect(status).toBe(0);
  const completed = (...words: string[]): string => {
    const line = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _xel; echo "\${COMPREPLY[*]}"`;
    const { stdout: found } = spawnSync("bash", ["-c", `${stdout}\n${line}`], { encoding: "utf8" });
    return found.trim();
  };
  expect(completed("xel", "")).toBe(COMMANDS.join(" "));
  expect(completed("xel", "du")).toBe("dump");
  expect(completed("xel", "dump", "a.xel", "--f")).toBe("--format --force");
  expect(completed("xel", "dump", "--format", "")).toBe("ndjson json csv table");
  expect(completed("xel", "session", "st")).toBe("start stop");
  expect(completed("xel", "dump", "a")).toBe("");
});

test.each(["zsh", "fish", "powershell"])("the script for %s has each command with its options", (shell) => {
  const { status, stdout } = xel("completion", shell);
  expect(status).toBe(0);
  for (const name of COMMANDS) expect(stdout).toContain(name);
  for (const option of ["where", "format", "parquet", "file-writes"])
    expect(stdout).toMatch(new RegExp(String.raw`(?:--|-l )${option}\b`, "u"));
});

test("zsh offers each option again that can be repeated", () => {
  const { stdout } = xel("completion", "zsh");
  const repeatable = Array.from(stdout.matchAll(/'(\*?)--([\w-]+)\[[^\]]*can be repeated\]/gu));
  expect(new Set(repeatable.map(([, , option]) => option))).toEqual(new Set(["event", "secondary"]));
  for (const [, sign] of repeatable) expect(sign).toBe("*");
});

test("xel completion names the shells", () => {
  expect(xel("completion", "cmd")).toMatchObject({
    status: 2,
    stderr: "Name a shell: bash, zsh, fish, powershell.\nUsage: xel completion SHELL\n",
  });
});

test("the usage text and docs/reference/cli.md have the same exit codes", () => {
  const [, table = ""] = document.split("| exit code | meaning |\n|---|---|\n");
  const [rows = ""] = table.split("\n\n");
  const codes = EXIT_CODES_TEXT.trim().split("\n").slice(1);
  expect(rows.trim().split("\n")).toEqual(
    codes.map((line) => line.replace(/^ +(\d) +(.*)$/u, "| $1 | $2 |")),
  );
  expect(codes.map((line) => Number(line.trim()[0]))).toEqual(Object.values(EXIT));
  expect(help).toContain(EXIT_CODES_TEXT);
});
