/** Selections and formats of `xel dump`, on statements as a DBA looks for them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Papa from "papaparse";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { createXelWriter } from "../src/writer/index.ts";
import { UsageError } from "./command.ts";
import { dumpCommand } from "./dump.ts";

const folder = mkdtempSync(join(tmpdir(), "xel-dump-"));
afterAll(() => rmSync(folder, { recursive: true }));

let out = "";
beforeEach(() => {
  out = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += String(text);
    return true;
  });
  return () => vi.restoreAllMocks();
});

/** 2026-05-14T02:00:00Z as FILETIME. */
const START = 134_231_976_000_000_000n;
const SECOND = 10_000_000n;

const FILE = join(folder, "slow.xel");
{
  const writer = createXelWriter(
    {
      packages: [
        {
          name: "sqlserver",
          id: 1,
          events: [
            {
              name: "batch",
              columns: [
                { name: "duration", type: "int64" },
                { name: "reads", type: "uint64" },
                { name: "share", type: "float64" },
                { name: "name", type: "unicode_string" },
                { name: "sql", type: "unicode_string" },
                { name: "hash", type: "binary_data" },
                { name: "user", type: "boolean" },
              ],
            },
            { name: "wait", columns: [{ name: "duration", type: "int64" }] },
          ],
          actions: [{ name: "duration", type: "uint16" }],
        },
      ],
    },
    { startTicks: START },
  );
  const batch = { reads: 2n ** 63n + 1n, share: 0.25, name: "a,b", sql: "=1+1", hash: new Uint8Array([10]), user: true }; // prettier-ignore
  writer.write("batch", 0n, { ...batch, duration: -5 }, { duration: 1 });
  writer.write("wait", SECOND, { duration: 900 });
  writer.write("batch", 2n * SECOND, {
    ...batch,
    duration: 9_007_199_254_740_993n,
    sql: "SELECT\n'x'",
    user: false,
  });
  writeFileSync(FILE, writer.finish());
}

async function timesOf(...args: string[]): Promise<string> {
  expect(await dumpCommand().run([FILE, ...args])).toBe(0);
  const lines = out.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line).timestamp.slice(18, 19)).join(" ");
}

test.each([
  [["--where", "duration>100"], "1 2"],
  [["--where", "duration=-5"], "0"],
  [["--where", "duration!=-5"], "1 2"],
  [["--where", "duration<=900"], "0 1"],
  [["--where", "duration<900"], "0"],
  // Exact, although a double can't tell it from its neighbor.
  [["--where", "duration>=9007199254740993"], "2"],
  [["--where", "duration>=9007199254740994"], ""],
  [["--where", "reads>9223372036854775808"], "0 2"],
  [["--where", "share=0.25"], "0 2"],
  [["--where", "share<.3", "--where", "user=false"], "2"],
  // 1 and 0 as in T-SQL.
  [["--where", "user=1"], "0"],
  [["--where", "user!=true"], "2"],
  [["--where", "sql==1+1"], "0"],
  [["--where", "hash=0x0a"], "0 2"],
  [["--where", "name=wait"], "1"],
  [["--where", "field.name=a,b"], "0 2"],
  [["--where", "action.duration=1"], "0"],
  [["--where", "name = wait"], "1"],
  [["--where", "name<>wait"], "0 2"],
  [["--where", "duration <> -5"], "1 2"],
  // As a text, each time of that day would be later.
  [["--where", "timestamp>=2026-05-14 02:00:01"], "1 2"],
  [["--where", "timestamp=2026-05-14T02:00:01"], "1"],
  // An event without the field meets no condition.
  [["--where", "sql!=x"], "0 2"],
  [["--since", "2026-05-14T02:00:01"], "1 2"],
  [["--until", "2026-05-14 02:00:01Z"], "0"],
  [["--since", "2026-05-14T02:00:00.0000001", "--until", "2026-05-14T02:00:02"], "1"],
  [["--since", "2026-05-14"], "0 1 2"],
  [["--since", "2026-05-15"], ""],
])("%j selects events", async (args, times) => {
  expect(await timesOf(...args)).toBe(times);
});

test("a field that no event has is named, so that a wrong name doesn't look like no events", async () => {
  const errors: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => errors.push(String(text)) > 0);
  expect(await timesOf("--where", "duraton>5", "--where", "sql=x")).toBe("");
  expect(errors).toEqual(['No event has the field or action "duraton". Verify its name in --where.\n']);
  // One event type has it; of a type that isn't in the file, nothing is known.
  await timesOf("--where", "sql=x");
  await timesOf("--event", "none", "--where", "duraton>5");
  expect(errors.slice(1)).toEqual(["The files contain no event none. Check the name after --event.\n"]);
});

test("an event that no file has is named, where another one of two is there", async () => {
  const errors: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => errors.push(String(text)) > 0);
  await timesOf("--event", "batch", "--event", "wait", "--event", "bacth");
  expect(errors).toEqual(["The files contain no event bacth. Check the name after --event.\n"]);
});

test("a text doesn't equal a number, and only a condition without any text is reported", async () => {
  const columns = (type: "int32" | "unicode_string") => [{ name: "state", type }];
  const events = [
    { name: "error_reported", columns: columns("int32") },
    { name: "component_result", columns: columns("unicode_string") },
  ];
  const writer = createXelWriter({ packages: [{ name: "p", id: 1, events }] }, { startTicks: START });
  writer.write("error_reported", 0n, { state: 1 });
  writer.write("component_result", SECOND, { state: "ERROR" });
  const path = join(folder, "state.xel");
  writeFileSync(path, writer.finish());
  const errors: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => errors.push(String(text)) > 0);
  const names = async (...args: string[]): Promise<string[]> => {
    out = "";
    expect(await dumpCommand().run([path, "--columns", "name", ...args])).toBe(0);
    return out.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line).name]));
  };
  expect(await names("--where", "state=ERROR")).toEqual(["component_result"]);
  expect(await names("--where", "state!=ERROR")).toEqual(["error_reported"]);
  expect(errors).toEqual([]);
  expect(await names("--event", "error_reported", "--where", "state=ERROR")).toEqual([]);
  expect(errors).toEqual([`Can't compare "state" with "ERROR": it's a number. Use a number in --where.\n`]);
});

test("columns are a flat object per event, null where it has none", async () => {
  expect(await dumpCommand().run([FILE, "--columns", "timestamp, duration,action.duration,sql"])).toBe(0);
  expect(out).toBe(
    [
      '{"timestamp":"2026-05-14T02:00:00.0000000Z","duration":-5,"action.duration":1,"sql":"=1+1"}',
      '{"timestamp":"2026-05-14T02:00:01.0000000Z","duration":900,"action.duration":null,"sql":null}',
      '{"timestamp":"2026-05-14T02:00:02.0000000Z","duration":"9007199254740993","action.duration":null,"sql":"SELECT\\n\'x\'"}',
      "",
    ].join("\n"),
  );
});

test("a JSON array is one of all files, also without events", async () => {
  expect(await dumpCommand().run([FILE, FILE, "--format", "json", "--columns", "name"])).toBe(0);
  expect(JSON.parse(out)).toEqual(
    ["batch", "wait", "batch", "batch", "wait", "batch"].map((name) => ({ name })),
  );
  out = "";
  await dumpCommand().run([FILE, "--format", "json", "--event", "none"]);
  expect(JSON.parse(out)).toEqual([]);
});

test.each(["json", "csv", "table"])("%s of a file that can't be read is no output", async (format) => {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  expect(await dumpCommand().run([join(folder, "none.xel"), "--format", format])).toBe(4);
  expect(out).toBe("");
});

test("CSV without events has its head", async () => {
  await dumpCommand().run([FILE, "--format", "csv", "--event", "none", "--columns", "name,duration"]);
  expect(out).toBe("name,duration\r\n");
});

test("CSV has all fields and actions, and no text that becomes a formula", async () => {
  expect(await dumpCommand().run([FILE, "--format", "csv"])).toBe(0);
  expect(out.split("\r\n")[0]).toBe(
    "timestamp,name,duration,reads,share,field.name,sql,hash,user,action.duration",
  );
  const { data } = Papa.parse<string[]>(out.trimEnd());
  expect(data.slice(1)).toEqual([
    [
      "2026-05-14T02:00:00.0000000Z",
      "batch",
      "-5",
      "9223372036854775809",
      "0.25",
      "a,b",
      "'=1+1",
      "0x0a",
      "true",
      "1",
    ],
    ["2026-05-14T02:00:01.0000000Z", "wait", "900", "", "", "", "", "", "", ""],
    ["2026-05-14T02:00:02.0000000Z", "batch", "9007199254740993", "9223372036854775809", "0.25", "a,b", "SELECT\n'x'", "0x0a", "false", ""], // prettier-ignore
  ]);
});

test("a text of several lines is no formula in CSV either", async () => {
  const columns = [{ name: "sql", type: "unicode_string" }] as const;
  const writer = createXelWriter({ packages: [{ name: "p", id: 1, events: [{ name: "e", columns }] }] });
  writer.write("e", 0n, { sql: "=HYPERLINK(1)\n2" });
  const path = join(folder, "lines.xel");
  writeFileSync(path, writer.finish());
  expect(await dumpCommand().run([path, "--format", "csv", "--columns", "sql"])).toBe(0);
  expect(Papa.parse<string[]>(out.trimEnd()).data).toEqual([["sql"], ["'=HYPERLINK(1)\n2"]]);
});

test("a table fits a terminal: one line per event, without control characters", async () => {
  expect(await dumpCommand().run([FILE, "--format", "table", "--columns", "name,duration,sql"])).toBe(0);
  expect(out).toBe(`name   duration          sql
-----  ----------------  ----------
batch  -5                =1+1
wait   900
batch  9007199254740993  SELECT 'x'
`);
  out = "";
  await dumpCommand().run([FILE, "--format", "table", "--event", "wait"]);
  expect(out.split("\n")[2]).toBe("2026-05-14T02:00:01.0000000Z  wait  duration=900");
});

test.each([
  [[FILE, "--where", "duration"], '--where needs FIELD=VALUE, or another comparison, instead of "duration".'],
  [
    [FILE, "--where", "duration>5ms"],
    `Can't compare duration with "5ms": in batch it's a number. Use a number, or select other events with --event.`,
  ],
  [
    [FILE, "--where", "timestamp>noon"],
    '--where needs a time in UTC, such as 2026-05-14T02:00, instead of "noon".',
  ],
  [
    [FILE, "--since", "2026-02-30"],
    '--since needs a time in UTC, such as 2026-05-14T02:00, instead of "2026-02-30".',
  ],
  [
    [FILE, "--since", "yesterday"],
    '--since needs a time in UTC, such as 2026-05-14T02:00, instead of "yesterday".',
  ],
  [
    [FILE, "--since", "2026-13-14"],
    '--since needs a time in UTC, such as 2026-05-14T02:00, instead of "2026-13-14".',
  ],
  [[FILE, "--format", "xml"], '--format is one of ndjson, json, csv, table, not "xml".'],
  [["-", "-"], "Standard input is read once. Use - once."],
  [["-", "--format", "csv"], "Standard input is read once. Name the columns of the CSV with --columns."],
])("%j is wrong usage", async (args, text) => {
  await expect(dumpCommand().run(args)).rejects.toThrow(new UsageError(text));
  expect(out).toBe("");
});
