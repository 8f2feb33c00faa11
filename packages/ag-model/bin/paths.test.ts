/**
 * Files, folders and zips on the command line: the same answer for every container, and an exit code for each outcome.
 */
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { analyze } from "./analyze.ts";
import { withFoundFiles } from "./find-files.ts";
import { waiting, whatIf } from "./replay.ts";

const CAPTURES = join(import.meta.dirname, "../../../fixtures/captures");

let temporary: string;
/** The files that SQL LogScout collects, of both servers in one folder. */
let logScout: string;
beforeAll(() => {
  temporary = mkdtempSync(join(tmpdir(), "xel-paths-"));
  logScout = folderOf("logscout");
  for (const path of xelIn("slow-network")) copyFileSync(path, join(logScout, basename(path)));
  copyFileSync(join(CAPTURES, "slow-network/topology.xml"), join(logScout, "SQL1_AG_Topology.xml"));
});
afterAll(() => rmSync(temporary, { recursive: true }));

const xelIn = (...folder: string[]): string[] =>
  readdirSync(join(CAPTURES, ...folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".xel"))
    .map((name) => join(CAPTURES, ...folder, name))
    .toSorted((a, b) => (basename(a) < basename(b) ? -1 : 1));

function folderOf(name: string): string {
  const folder = join(temporary, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** A copy of the LogScout folder with more in it. */
function logScoutWith(name: string, more: Readonly<Record<string, Uint8Array | string>>): string {
  const folder = folderOf(name);
  cpSync(logScout, folder, { recursive: true });
  for (const [path, bytes] of Object.entries(more)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
  return folder;
}

async function run(command: typeof whatIf, ...args: string[]) {
  const output: string[] = [];
  const errors: string[] = [];
  const sentences = vi.spyOn(console, "error").mockImplementation((text: string) => void errors.push(text));
  const stream = vi
    .spyOn(process.stderr, "write")
    .mockImplementation((text) => errors.push(String(text)) > 0);
  try {
    const code = await command(args, (text) => output.push(text));
    return { code, output: output.join("\n"), errors: errors.join("\n").trimEnd().split("\n") };
  } finally {
    sentences.mockRestore();
    stream.mockRestore();
  }
}

const NONE: string[] = [""];
const blg = Uint8Array.from({ length: 4096 }, (_, i) => (i * 7) % 256);
const zipOf = (entries: Record<string, Uint8Array>): Uint8Array => zipSync(entries, { level: 1 });
const bytesOf = (path: string): Uint8Array => new Uint8Array(readFileSync(path));

test("a folder, a zip of it and a list of its files are the same capture, with the names of the topology in it", async () => {
  const files = readdirSync(logScout).map((name) => join(logScout, name));
  const zip = join(temporary, "logscout.zip");
  writeFileSync(zip, zipOf(Object.fromEntries(files.map((path) => [basename(path), bytesOf(path)]))));
  const folder = await run(analyze, logScout, "--json");
  expect(folder).toMatchObject({ code: 0, errors: NONE });
  expect(await run(analyze, ...files, "--json")).toEqual(folder);
  expect(await run(analyze, zip, "--json")).toEqual(folder);
  const [text, ...more] = await Promise.all(
    [[logScout], files, [zip]].map((paths) => run(analyze, ...paths)),
  );
  expect(text.output).toMatch(/^To SQL2$/mu);
  expect(more).toEqual([text, text]);
});

test("files, folders and zips may be mixed in any order", async () => {
  const [primary, secondary] = ["primary", "secondary"].map((role) => xelIn("slow-network", role));
  const rest = folderOf("rest");
  const zip = join(rest, "deeper", "secondary.zip");
  mkdirSync(join(zip, ".."));
  writeFileSync(zip, zipOf(Object.fromEntries(secondary.map((path) => [basename(path), bytesOf(path)]))));
  // Without it servers have the names of folders, which are different here.
  const topology = join(CAPTURES, "slow-network/topology.xml");
  const whole = await run(analyze, ...primary, ...secondary, topology, "--json");
  expect(whole).toMatchObject({ code: 0, errors: NONE });
  expect(await run(analyze, ...primary, rest, topology, "--json")).toEqual(whole);
  expect(await run(analyze, topology, rest, "--json", ...primary)).toEqual(whole);
  const roles = ["--secondary", rest, topology, "--primary", join(CAPTURES, "slow-network/primary")];
  expect(await run(analyze, ...roles, "--json")).toEqual(whole);
});

test("of a LogScout folder each file that isn't used is named in a sentence, and the others are analyzed", async () => {
  const whole = await run(analyze, logScout, "--json");
  const [event] = xelIn("slow-secondary-disk", "primary");
  const folder = logScoutWith("mixed", {
    ERRORLOG: "2016-05-06 18:03:35.00 Server      Microsoft SQL Server 2016",
    "SQL1_Perfmon.blg": blg,
    "SQL1_sessions.out": "session_id status\n51 running\n",
    "SQL1_hosts.csv": "host,os\nSQL1,Windows\n",
    "empty.xel": "",
    "damaged_start.xel": bytesOf(event).fill(0, 0, 8),
    "config.xml": "<configuration />",
    "broken_topology.xml": "<AGInfoRoot><row",
    "case.aglens": zipOf({ "capture.json": blg }),
    "report.docx": zipOf({ "word/document.xml": blg }),
    ".hidden.xel": "hidden",
    "more/notes.zip": zipOf({ "notes.txt": blg, "inner.zip": zipOf({ a: blg }) }),
  });
  const found = await run(analyze, folder, "--json");
  const { evidence, ...figures } = JSON.parse(found.output) as {
    evidence: { files: { name: string; state: string }[] };
  };
  expect(figures).toEqual(JSON.parse(whole.output));
  expect(found.code).toBe(3);
  const path = (name: string): string => join(folder, name);
  expect(found.errors).toEqual([
    `Can't read ${path("broken_topology.xml")}. The topology file is not well-formed XML: save the query's result again.`,
    `${path("case.aglens")} is a saved capture and was skipped. Provide it on its own to xel analyze or xel tables.`,
    `${path("config.xml")} isn't an event file and was skipped.`,
    `${path("damaged_start.xel")} isn't an event file, although it ends in .xel, and was skipped. Copy it from the server again.`,
    `${path("empty.xel")} is empty and was skipped.`,
    `${path("more/notes.zip")}/notes.txt isn't an event file and was skipped.`,
    `${path("more/notes.zip")}/inner.zip is a zip in a zip and was skipped. Unpack it and provide its files.`,
    `${path("report.docx")} isn't an event file and was skipped.`,
  ]);
  // Files whose use is known are in the list of files instead.
  const states = new Map(evidence.files.map(({ name, state }) => [name, state]));
  expect(
    ["ERRORLOG", "SQL1_Perfmon.blg", "SQL1_hosts.csv", "broken_topology.xml"].map((name) =>
      states.get(path(name)),
    ),
  ).toEqual(["notUsed", "convert", "notUsed", "damaged"]);
  // The same files one by one, as a shell lists them.
  const listed = readdirSync(folder).filter((name) => !/^\.|^more$|docx$/u.test(name));
  const list = await run(analyze, ...listed.toSorted().map(path), "--json");
  const { evidence: _, ...same } = JSON.parse(list.output) as typeof figures & { evidence: unknown };
  expect(same).toEqual(figures);
  expect(list.errors).toEqual(found.errors.filter((text) => !/notes\.zip|docx/u.test(text)));
});

describe("exit code", () => {
  const [primary] = xelIn("slow-network", "primary");

  test("0 for a file that is still being written, and for one that is provided twice", async () => {
    const folder = logScoutWith("cut", {});
    const last = xelIn("slow-network", "primary").at(-1)!;
    writeFileSync(join(folder, basename(last)), bytesOf(last).subarray(0, -1000));
    const { code, errors } = await run(analyze, folder);
    expect(errors).toEqual([expect.stringContaining("ends inside a buffer")]);
    expect(code).toBe(0);
    expect(await run(analyze, logScout, primary)).toMatchObject({ code: 0, errors: NONE });
  });

  test("1 for damage, also where files were skipped", async () => {
    const bytes = bytesOf(primary);
    bytes.fill(0xff, bytes.length / 2, bytes.length / 2 + 100);
    const folder = logScoutWith("damaged", { [basename(primary)]: bytes, ERRORLOG: "no events" });
    const { code, errors } = await run(analyze, folder);
    expect(errors).toEqual([
      `${join(folder, "ERRORLOG")} isn't an event file and was skipped.`,
      expect.stringMatching(/\.xel: at byte \d+: .*damaged/u),
    ]);
    expect(code).toBe(1);
  });

  test("1 for a damaged zip in a folder, whose other files are analyzed", async () => {
    const bytes = zipOf({ "a.xel": bytesOf(primary) });
    const folder = logScoutWith("bad-zip", { "bad.zip": bytes.subarray(0, -30) });
    const { code, errors, output } = await run(analyze, folder);
    expect(errors).toEqual([
      `Can't read ${join(folder, "bad.zip")}. The zip ends before its directory; copy it again.`,
    ]);
    expect(output).toMatch(/^To SQL2$/mu);
    expect(code).toBe(1);
  });

  test("1 for a file that has lost all its events, which are named as lost", async () => {
    const bytes = bytesOf(primary);
    const folder = logScoutWith("all-lost", { "lost.xel": bytes.fill(0xff, 600) });
    const { code, errors } = await run(analyze, folder);
    expect(errors[0]).toContain("lost.xel is skipped: it contains no events.");
    expect(errors[1]).toMatch(/lost\.xel: at byte \d+: /u);
    expect(code).toBe(1);
  });

  test.each([
    ["a role that the events contradict", ["--primary", ...xelIn("slow-network", "secondary")]],
    ["an unknown option", ["--what", primary]],
    ["no path", []],
  ])("2 for %s", async (_, args) => {
    expect(await run(analyze, ...args)).toMatchObject({ code: 2, output: "" });
  });

  test("2 for several captures where a command answers one; others answer each", async () => {
    const folder = folderOf("two");
    for (const name of ["slow-network", "slow-secondary-disk"])
      for (const path of xelIn(name)) copyFileSync(path, join(folder, basename(path)));
    const both = await run(analyze, folder);
    expect(both).toMatchObject({ code: 0, errors: NONE });
    expect(both.output.match(/^.+ · \d+ \w+ 20\d\d, \d\d:\d\d UTC$/gmu)).toHaveLength(2);
    for (const command of [whatIf, waiting]) {
      const { code, errors, output } = await run(command, folder);
      expect(errors).toEqual([
        expect.stringMatching(/^The files are 2 captures: .+; .+\. Provide the files of one\.$/u),
      ]);
      expect({ code, output }).toEqual({ code: 2, output: "" });
    }
  });

  test("3 for a path that doesn't exist, and for one that isn't a topology", async () => {
    const missing = join(temporary, "gone.xel");
    const sentence = `Can't read ${missing}: no such file or folder exists. Check the path, or provide the folder that contains the file.`;
    for (const command of [analyze, whatIf, waiting]) {
      const { code, errors, output } = await run(command, missing, logScout);
      expect({ code, errors }).toEqual({ code: 3, errors: [sentence] });
      expect(output).not.toBe("");
    }
    expect(await run(analyze, logScout, "--topology", missing)).toMatchObject({
      code: 3,
      errors: [sentence],
    });
    expect(await run(analyze, logScout, "--topology", primary)).toMatchObject({
      code: 3,
      errors: [expect.stringMatching(/^Can't read .*\.xel\. The topology file/u)],
    });
    expect(await run(analyze, logScout, "--topology", temporary)).toMatchObject({
      code: 3,
      errors: [`Can't read ${temporary}: it's a folder. Provide a file in it.`],
    });
  });

  test("3 for event files of another session, and for an empty folder", async () => {
    const other = join(folderOf("other-session"), "other.xml");
    writeFileSync(
      other,
      '<event name="rpc_completed" package="sqlserver" timestamp="2016-05-06T18:00:00.000Z"></event>',
    );
    const empty = folderOf("nothing-in-it");
    const { code, errors } = await run(analyze, logScout, other, empty);
    expect(errors).toEqual([
      `${empty} contains no files and was skipped. Check the path.`,
      "other.xml is skipped: a different session wrote it, and its only event isn't about log blocks.",
    ]);
    expect(code).toBe(3);
  });

  test("4 where nothing is usable", async () => {
    const why = expect.stringMatching(/^Can't analyze: no file contains events of log blocks\. Provide /u);
    const missing = join(temporary, "gone");
    const notes = join(folderOf("notes"), "ERRORLOG");
    writeFileSync(notes, "no events");
    for (const command of [analyze, whatIf, waiting]) {
      const { code, errors, output } = await run(
        command,
        missing,
        notes,
        "--topology",
        join(CAPTURES, "slow-network/topology.xml"),
      );
      expect(errors).toEqual([
        expect.stringMatching(/^Can't read /u),
        `${notes} isn't an event file and was skipped.`,
        why,
      ]);
      expect({ code, output }).toEqual({ code: 4, output: "" });
    }
    expect(await run(analyze, "--primary", notes)).toMatchObject({ code: 4 });
  });
});

test.skipIf(process.platform === "win32")(
  "a path without permission, and one that is neither a file nor a folder, are sentences",
  async () => {
    vi.resetModules();
    const denied = (path: string): Error =>
      Object.assign(new Error(`EACCES: permission denied, open '${path}'`), {
        code: "EACCES",
        syscall: "open",
      });
    // Tests may run as a user that may read everything.
    vi.doMock("./unpack.ts", async (load) => ({
      ...(await load<object>()),
      bytesAt: (path: string) => Promise.reject(denied(path)),
    }));
    try {
      const { withFoundFiles: found } = await import("./find-files.ts");
      const [file] = readdirSync(logScout).map((name) => join(logScout, name));
      const skipped = await found({ groups: [[file]], topologies: [] }, ({ skipped }) =>
        Promise.resolve(skipped),
      );
      expect(skipped).toEqual([
        `Can't read ${file}: permission is denied. Run xel as a user who can read it, or provide a copy.`,
      ]);
    } finally {
      vi.doUnmock("./unpack.ts");
    }
    const device = await withFoundFiles({ groups: [["/dev/null"]], topologies: [] }, ({ skipped }) =>
      Promise.resolve(skipped),
    );
    expect(device).toEqual([
      "Can't read /dev/null: it's neither a file nor a folder. Provide its content as a file.",
    ]);
  },
);
