/** The commands as a user of the command line sees them: their output and exit codes. */
import { readdirSync, readFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readXelBytes, toJson } from "../src/format/index.ts";
import { createXelWriter } from "../src/writer/index.ts";
import {
  dumpCommand,
  infoCommand,
  JSON_OPTIONS,
  reportFailure,
  reportGaps,
  runProgram,
  unreadableText,
  UsageError,
  type Command,
  type SourceTypes,
} from "./commands.ts";

const dump = (args: string[], types?: SourceTypes): Promise<number> => dumpCommand(types).run(args);
const info = (args: string[]): Promise<number> => infoCommand().run(args);

const temporary = mkdtempSync(join(tmpdir(), "xel-commands-"));
afterAll(() => rmSync(temporary, { recursive: true }));

const printed = { out: "", errors: "" };
beforeEach(() => {
  printed.out = "";
  printed.errors = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed.out += String(text);
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    printed.errors += String(text);
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

function written(name: string, bytes: Uint8Array | string): string {
  const path = join(temporary, name);
  writeFileSync(path, bytes);
  return path;
}

/** Five events: `b` occurs twice, and `c` is first in time but last in the file. */
function fileOfFive(): Uint8Array {
  const events = ["a", "b", "c"].map((name) => ({ name, columns: [{ name: "n", type: "uint8" as const }] }));
  const writer = createXelWriter(
    { packages: [{ name: "p", id: 1, events }] },
    { startTicks: 116_444_736_000_000_000n },
  );
  for (const [name, tick] of [
    ["b", 10],
    ["a", 20],
    ["b", 90],
    ["a", 30],
    ["c", 5],
  ] as const)
    // prettier-ignore
    writer.write(name, tick, { n: tick });
  return writer.finish();
}

const FIVE = fileOfFive();
const five = written("five.xel", FIVE);
/** The last event's version is damaged. */
const damaged = Uint8Array.from(FIVE);
damaged[readXelBytes(FIVE).events[4].offset + 4] = 0;

describe("dump", () => {
  test("prints an event per line, in file order", async () => {
    expect(await dump([five])).toBe(0);
    expect(printed.out).toBe(
      readXelBytes(FIVE)
        .events.map((event) => `${toJson(event)}\n`)
        .join(""),
    );
    expect(printed.errors).toBe("");
  });

  test("prints the events that are named, of one name or several", async () => {
    const names = (): string[] => printed.out.trimEnd().split("\n").map((line) => JSON.parse(line).name); // prettier-ignore
    expect(await dump([five, "--event", "b"])).toBe(0);
    expect(names()).toEqual(["b", "b"]);
    printed.out = "";
    await dump(["--event", "a", "--event", "c", five]);
    expect(names()).toEqual(["a", "a", "c"]);
  });

  test("prints all of a file larger than it collects at once", async () => {
    const folder = join(import.meta.dirname, "../../../fixtures/captures/slow-secondary-disk/primary");
    const path = join(folder, readdirSync(folder)[0]);
    expect(await dump([path])).toBe(0);
    const { events } = readXelBytes(readFileSync(path));
    expect(printed.out.length).toBeGreaterThan(1 << 17);
    expect(printed.out).toBe(events.map((event) => `${toJson(event)}\n`).join(""));
  });

  test("waits for a slow reader", async () => {
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      printed.out += String(text);
      setImmediate(() => process.stdout.emit("drain"));
      return false;
    });
    expect(await dump([five])).toBe(0);
    expect(printed.out.trimEnd().split("\n")).toHaveLength(5);
  });

  test("says what was lost, and ends with 1", async () => {
    const path = written("damaged.xel", damaged);
    expect(await dump([path])).toBe(1);
    expect(printed.out.trimEnd().split("\n")).toHaveLength(4);
    expect(printed.errors).toMatch(/damaged\.xel: at byte \d+: \d+ damaged bytes were skipped: .*\.\n$/u);
  });

  test.each([
    ["no file", []],
    ["an unknown option", ["a.xel", "--what"]],
  ])("%s is a wrong use", async (_, args) => {
    await expect(dump(args)).rejects.toThrow(UsageError);
    expect(printed.out).toBe("");
  });

  test("prints several files one after the other, and names one that can't be read", async () => {
    expect(await dump([five, join(temporary, "none.xel"), five])).toBe(3);
    expect(printed.out.trimEnd().split("\n")).toHaveLength(10);
    expect(printed.errors).toMatch(/^Can't read .*none\.xel: no such file/u);
  });

  test("tries another version only by force", async () => {
    const other = Uint8Array.from(FIVE);
    new DataView(other.buffer).setUint16(4, 11, true);
    const path = written("eleven.xel", other);
    expect(await dump([path])).toBe(4);
    expect(printed.errors).toContain("version 11");
    printed.errors = "";
    expect(await dump([path, "--force"])).toBe(0);
    expect(printed.out.trimEnd().split("\n")).toHaveLength(5);
  });

  test("takes the types of fields that text does not carry", async () => {
    const path = written("x.xml", '<event name="e" package="p" timestamp="2026-01-02T03:04:05Z"><data name="n"><value>7</value></data></event>'); // prettier-ignore
    expect(await dump([path], { typeOf: () => "unicode_string" })).toBe(0);
    expect(JSON.parse(printed.out).fields).toEqual({ n: "7" });
  });
});

describe("info", () => {
  test("prints size, times, state and events by number, then by name", async () => {
    expect(await info([five])).toBe(0);
    expect(printed.out).toBe(
      [
        `size     ${FIVE.length} bytes`,
        "events   5",
        "first    1970-01-01T00:00:00.0000005Z",
        "last     1970-01-01T00:00:00.0000090Z",
        "state    complete",
        "",
        "         2  p.a",
        "         2  p.b",
        "         1  p.c",
        "",
      ].join("\n"),
    );
  });

  test("names the event types with payload bytes that no column claims", async () => {
    const columns = [{ name: "id", type: "guid" }] as const;
    const writer = createXelWriter({ packages: [{ name: "p", id: 1, events: [{ name: "e", columns }] }] });
    writer.write("e", 1, {});
    writer.write("e", 2, {});
    const bytes = writer.finish();
    // The metadata declares GUIDs in place: 16 of the 24 bytes of each payload are read.
    const declared = Buffer.from(bytes).indexOf(Buffer.from("guid\0\0", "utf16le")) + "guid\0\0".length * 2;
    bytes[declared] = 16;
    expect(await info([written("odd.xel", bytes)])).toBe(0);
    expect(printed.out).toMatch(
      /No column claims 16 bytes in the payloads of 2 events p\.e; the first is at byte \d+\./u,
    );
  });

  test("prints the same as JSON, of each file", async () => {
    expect(await info(["--json", five, written("damaged.xel", damaged)])).toBe(1);
    const [whole, hurt] = JSON.parse(printed.out);
    expect(whole).toEqual({
      file: five,
      bytes: FIVE.length,
      events: 5,
      first: "1970-01-01T00:00:00.0000005Z",
      last: "1970-01-01T00:00:00.0000090Z",
      complete: true,
      byName: { "p.a": 2, "p.b": 2, "p.c": 1 },
      gaps: [],
      unclaimed: [],
    });
    expect(hurt).toMatchObject({ events: 4, complete: false, gaps: [{ code: "bad-event" }] });
  });

  test("of a file without events has no times", async () => {
    const empty = createXelWriter({ packages: [{ name: "p", id: 1 }] }).finish();
    expect(await info([written("empty.xel", empty)])).toBe(0);
    expect(printed.out).toBe(`size     ${empty.length} bytes\nevents   0\nstate    complete\n\n`);
  });

  test("an event of a CSV has no package", async () => {
    await info([written("x.csv", "name,timestamp\nx,2026-01-02 03:04:05\n")]);
    expect(printed.out).toContain("         1  x\n");
  });

  test("names damage, and a last buffer that is still being written, which is none", async () => {
    expect(await info([written("damaged.xel", damaged)])).toBe(1);
    expect(printed.out).toContain("state    1 damaged part(s), see the messages\n");
    printed.out = "";
    expect(await info([written("cut.xel", FIVE.subarray(0, FIVE.length - 100))])).toBe(0);
    expect(printed.out).toContain(
      "state    ends in a buffer that is not written to its end, see the message\n",
    );
    expect(printed.errors).toContain("The file ends inside a buffer: no event is lost.");
    // Both: only the damage counts.
    printed.out = "";
    expect(await info([written("both.xel", twoBuffersDamagedAndCut())])).toBe(1);
    expect(printed.out).toContain("state    1 damaged part(s), see the messages\n");
  });

  test.each([[[]], [["a.xel", "--what"]], [["--force"]], [["-", "-"]]])("%j is a wrong use", async (args) => {
    await expect(info(args)).rejects.toThrow(UsageError);
  });

  test("--force may be before or behind the file", async () => {
    expect(await info(["--force", five])).toBe(0);
    expect(await info([five, "--force"])).toBe(0);
  });
});

function twoBuffersDamagedAndCut(): Uint8Array {
  const columns = [{ name: "n", type: "uint8" }] as const;
  const writer = createXelWriter(
    { packages: [{ name: "p", id: 1, events: [{ name: "e", columns }] }] },
    { bufferBytes: 1 },
  );
  for (let n = 0; n < 3; n++) writer.write("e", n, { n });
  const bytes = writer.finish();
  bytes[readXelBytes(bytes).events[0].offset + 4] = 0;
  return bytes.subarray(0, bytes.length - 100);
}

describe("what is said of a file", () => {
  test("a sentence per gap, with the events lost where they are known, and the number of those not listed", () => {
    const code = "bad-event";
    const gaps = [
      { code, offset: 12, message: "One." },
      { code, offset: 34, message: "Two.", eventsLost: 0 },
      { code: "truncated", offset: 56, message: "Three.", eventsLost: 7 },
    ];
    expect(reportGaps("f", { gaps, unlistedGaps: 9 })).toBe(1);
    expect(printed.errors).toBe(
      "f: at byte 12: One.\nf: at byte 34: Two. Events lost: 0.\nf: at byte 56: Three. Events lost: 7.\nf: 9 more gaps are not listed.\n",
    );
    expect(reportGaps("f", { gaps: gaps.slice(2) })).toBe(0);
    expect(reportGaps("f", { gaps: [] })).toBe(0);
  });

  test("a file that is not there, or is none, in a sentence; a fault of ours is thrown", async () => {
    for (const command of [dump, info]) {
      printed.errors = "";
      expect(await command([join(temporary, "none.xel")])).toBe(4);
      expect(printed.errors).toMatch(
        /^Can't read .*none\.xel: no such file or folder exists\. Check the path, or .*\.\n$/u,
      );
    }
    printed.errors = "";
    expect(await info([temporary])).toBe(4);
    expect(printed.errors).toBe(`Can't read ${temporary}: it's a folder. Provide a file in it.\n`);
    printed.errors = "";
    expect(await info([written("text.xel", "hello")])).toBe(4);
    expect(printed.errors).toContain("This is not an Extended Events file");
    expect(() => reportFailure("f", new TypeError("ours"))).toThrow("ours");
    expect(() => reportFailure("f", Object.assign(new Error("code alone"), { code: "X" }))).toThrow(
      "code alone",
    );
    expect(() => reportFailure("f", "no error")).toThrow();
  });

  test.each([
    ["ENOENT", /^Can't read f: no such file or folder exists\. Check the path/u],
    ["EACCES", /^Can't read f: permission is denied\. Run xel as a user who can read it/u],
    ["EIO", /^Can't read f: EIO: i\/o error, read\. Provide a copy on a local disk\.$/u],
  ])("%s is a sentence with what to do", (code, text) => {
    const error = Object.assign(new Error(`${code}: i/o error, read`), { code });
    expect(unreadableText("f", error)).toMatch(text);
    expect(unreadableText("f", Object.assign(error, { code: "ERR_OUT_OF_RANGE" }))).toBeUndefined();
  });
});

describe("the command line", () => {
  const show: { -readonly [Key in keyof Command]: Command[Key] } = {
    name: "show",
    operands: "FILE...",
    about: "number of arguments",
    options: {
      only: { type: "string", value: "NAME", choices: ["a", "b"], about: "one of two" },
      primary: { type: "string", value: "PATH...", about: "files" },
      ...JSON_OPTIONS,
    },
    notes: "It shows nothing else.",
    run: (args) => Promise.resolve(args.length),
  };
  beforeEach(() => {
    show.run = (args) => Promise.resolve(args.length);
  });
  const program = { name: "xel", commands: [show], notes: "\nA FILE is a file.\n" };
  const usage = `Usage: xel COMMAND ...

  xel show FILE...       number of arguments
  xel completion SHELL   script that completes commands and options in a shell: bash, zsh, fish or powershell

xel COMMAND --help prints the options of a command.

A FILE is a file.

Exit codes:
`;
  const argv = [...process.argv];
  afterEach(() => {
    process.argv = argv;
    process.exitCode = undefined;
    process.stdout.removeAllListeners("error");
  });

  async function run(...args: string[]): Promise<typeof process.exitCode> {
    process.argv = ["node", "xel", ...args];
    process.exitCode = undefined;
    await runProgram(program);
    return process.exitCode;
  }

  test("runs the command that is named, with the arguments behind it, and gives its exit code", async () => {
    expect(await run("show", "a", "b", "c")).toBe(3);
    expect(printed).toEqual({ out: "", errors: "" });
  });

  test.each(["help", "--help", "-h"])("%s prints the usage, and ends with 0", async (name) => {
    expect(await run(name)).toBe(0);
    expect(printed.out.startsWith(usage)).toBe(true);
    expect(printed.errors).toBe("");
  });

  test.each([
    ["show", "--help"],
    ["show", "a", "-h"],
    ["help", "show"],
  ])("%s %s prints the options of the command", async (...args) => {
    expect(await run(...args)).toBe(0);
    expect(printed.out).toBe(`Usage: xel show FILE... [OPTION]...

Number of arguments.

  --only a|b           one of two
  --primary PATH...    files
  --format text|json   the answer as text, or as JSON
  --json               short for --format json

It shows nothing else.
`);
  });

  test("wrong usage is a sentence with the usage, and ends with 2", async () => {
    show.run = () => Promise.reject(new UsageError("Name a file."));
    expect(await run("show")).toBe(2);
    expect(printed).toEqual({ out: "", errors: "Name a file.\nUsage: xel show FILE... [OPTION]...\n" });
  });

  test("a choice stands for its flag", async () => {
    const args: string[][] = [];
    show.run = (given) => Promise.resolve(args.push(given));
    for (const format of [["--format", "json"], ["--format=json"], ["--format", "text"]])
      await run("show", "a", ...format, "b");
    expect(args).toEqual([["a", "--json", "b"], ["a", "--json", "b"], ["a", "b"]]); // prettier-ignore
    expect(await run("show", "--format", "xml")).toBe(2);
    expect(printed.errors).toContain('--format is one of text, json, not "xml".\n');
  });

  test("a pattern is its files, as on Windows no shell expands it, but not in the value of an option", async () => {
    const pattern = join(temporary, "pattern-*.xel");
    written("pattern-1.xel", FIVE);
    written("pattern-2.xel", FIVE);
    expect(await run("show", pattern)).toBe(2);
    expect(await run("show", "--only", pattern)).toBe(2);
    expect(await run("show", "--primary", pattern)).toBe(3);
    expect(await run("show", join(temporary, "none-*.xel"))).toBe(1);
    expect(await run("show", written("[1].xel", FIVE))).toBe(1);
  });

  test("no command prints the usage, and ends with 2", async () => {
    expect(await run()).toBe(2);
    expect(printed.out.startsWith(usage)).toBe(true);
  });

  test.each(["other", "toString", "__proto__"])("%s is unknown, and ends with 2", async (name) => {
    expect(await run(name)).toBe(2);
    expect(printed.out).toBe("");
    expect(printed.errors.startsWith(`Unknown command "${name}".\n\n${usage}`)).toBe(true);
  });

  test("a reader of the pipe that leaves is no error", async () => {
    const exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
    await run("show");
    process.stdout.emit("error", Object.assign(new Error("EPIPE"), { code: "EPIPE" }));
    expect(exit).toHaveBeenCalledWith(0);
  });

  test("an output that can't be written ends with 4, not with the 1 of a result after damage", async () => {
    const error = Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
    show.run = () => {
      process.stdout.emit("error", error);
      return Promise.reject(error);
    };
    await run("show");
    expect(printed.errors).toBe("Can't write the output: ENOSPC: no space left. Write it to another disk.\n");
    expect(process.exitCode).toBe(4);
  });

  test("so does an error of the program itself", async () => {
    show.run = () => Promise.reject(new TypeError("ours"));
    expect(await run("show")).toBe(4);
    expect(printed.errors).toMatch(
      /^xel has an error of its own\. Report it to AG Lens:\nTypeError: ours\n +at /u,
    );
  });
});
