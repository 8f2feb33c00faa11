import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  chunksOf,
  textsOf,
  rowset,
  usOf,
  utf16,
  waitRowset,
  type SqlcmdColumn,
} from "../../test/sample-files.ts";
import type { EvidenceSeries, FileKind } from "../shapes.ts";
import { readSamples } from "./read-samples.ts";
import type { Samples } from "./samples.ts";

const file = (kind: FileKind, utcOffsetMinutes: number | null = 0) =>
  ({
    name: "SQL1_PerfStats.out",
    kind,
    server: "SQL1",
    serverFrom: "name",
    utcOffsetMinutes,
    use: "",
    state: "used",
  }) as const;

const read = async (text: string | Uint8Array, utcOffsetMinutes: number | null = 0): Promise<Samples> =>
  (await readSamples(file("rowsets", utcOffsetMinutes), chunksOf(text)))!;

const only = ({ series }: Samples, metric: string, of: string): EvidenceSeries =>
  series.find((one) => one.metric === metric && one.of === of)!;

const HEAD = `Starting SQL Server Perf Stats Script...
-- Script and Environment Details --
Name                     Value
------------------------ ---------------------------------------------------
SQL Server Name          SQL1\\PROD
Machine Name             SQL1

Start time: 2026-05-14T02:16:30.120
`;

const THREE = [
  waitRowset("2026-05-14T02:16:30.120", [
    ["WRITELOG", 100, 1000, 10],
    ["HADR_SYNC_COMMIT", 50, 4000],
  ]),
  waitRowset("2026-05-14T02:17:30.120", [
    ["WRITELOG", 150, 1900, 15],
    ["HADR_SYNC_COMMIT", 90, 10_000],
    ["PAGEIOLATCH_SH", 7, 21],
  ]),
  waitRowset("2026-05-14T02:18:30.120", [
    ["WRITELOG", 160, 2000, 15],
    ["HADR_SYNC_COMMIT", 90, 10_000],
    ["PAGEIOLATCH_SH", 7, 21],
  ]),
];

describe("wait statistics of repeated snapshots", () => {
  test("are deltas between snapshots, on the UTC clock, of the server that the script names", async () => {
    const found = await read(HEAD + THREE.join(""), -420);
    const writelog = only(found, "wait time", "WRITELOG");
    expect(writelog).toMatchObject({ unit: "ms", form: "delta", server: "SQL1\\PROD" });
    expect(writelog.source).toEqual({ file: "SQL1_PerfStats.out", column: "wait_time_ms" });
    expect(Array.from(writelog.values)).toEqual([Number.NaN, 900, 100]);
    expect(writelog.atUs[0]).toBe(usOf("2026-05-14T09:16:30.120Z"));
    expect(Array.from(only(found, "waits", "HADR_SYNC_COMMIT").values)).toEqual([Number.NaN, 40, 0]);
    expect(Array.from(only(found, "signal wait time", "WRITELOG").values)).toEqual([Number.NaN, 5, 0]);
    expect(only(found, "longest wait", "WRITELOG").form).toBe("cumulative");
    // The script lists each type that ever waited, so it had no wait before.
    expect(Array.from(only(found, "waits", "PAGEIOLATCH_SH").values)).toEqual([Number.NaN, 7, 0]);
    expect(textsOf(found.remarks)).toEqual([]);
    expect(found.notUnderstood).toBeNull();
  });

  test("are the same in UTF-16 and in chunks of any size", async () => {
    const whole = await read(HEAD + THREE.join(""));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 400 }), fc.boolean(), async (size, isWide) => {
        const text = HEAD + THREE.join("");
        const found = await readSamples(file("rowsets"), chunksOf(isWide ? utf16(text) : text, size));
        expect(found).toEqual(whole);
      }),
      { numRuns: 20 },
    );
  });

  test("start again after a restart, which is said", async () => {
    const text =
      THREE[1] +
      waitRowset("2026-05-14T02:18:30.000", [
        ["WRITELOG", 5, 40],
        ["HADR_SYNC_COMMIT", 2, 10],
        ["PAGEIOLATCH_SH", 70, 210],
      ]) +
      waitRowset("2026-05-14T02:19:30.000", [
        ["WRITELOG", 9, 100],
        ["HADR_SYNC_COMMIT", 2, 10],
        ["PAGEIOLATCH_SH", 71, 215],
      ]);
    const found = await read(text);
    expect(Array.from(only(found, "wait time", "WRITELOG").values)).toEqual([Number.NaN, Number.NaN, 60]);
    // It went up, but from another start.
    expect(Array.from(only(found, "wait time", "PAGEIOLATCH_SH").values)).toEqual([
      Number.NaN,
      Number.NaN,
      5,
    ]);
    expect(textsOf(found.remarks)).toEqual([
      "Counters of wait statistics started again between 2026-05-14 02:17:30 and 2026-05-14 02:18:30 UTC. This interval has no figures.",
    ]);
  });

  test("miss the delta of a counter that alone went back", async () => {
    const found = await read(
      waitRowset("2026-05-14T02:16:30", [
        ["A", 1, 10],
        ["B", 1, 10],
        ["C", 1, 10],
      ]) +
        waitRowset("2026-05-14T02:17:30", [
          ["A", 2, 5],
          ["B", 2, 20],
          ["C", 2, 20],
        ]),
    );
    expect(Array.from(only(found, "wait time", "A").values)).toEqual([Number.NaN, Number.NaN]);
    expect(Array.from(only(found, "wait time", "B").values)).toEqual([Number.NaN, 10]);
    expect(textsOf(found.remarks)).toEqual([
      "1 counters of wait statistics went back without a restart. Their figures are missing.",
    ]);
  });

  test("are cumulative in a single snapshot, which is said", async () => {
    const found = await read(THREE[0]!);
    expect(only(found, "wait time", "WRITELOG")).toMatchObject({
      form: "cumulative",
      values: Float64Array.of(1000),
    });
    expect(textsOf(found.remarks)).toEqual([
      "One snapshot of wait statistics: figures count from the last start of SQL Server.",
    ]);
  });

  test("are in local time without an offset from UTC", async () => {
    const { series } = await read(THREE.join(""), null);
    expect(series.every(({ isLocal }) => isLocal)).toBe(true);
    expect(series[0]!.atUs[0]).toBe(usOf("2026-05-14T02:16:30.120Z"));
  });
});

const FILE_COLUMNS: readonly SqlcmdColumn[] = [
  ["runtime", 30],
  ["runtime_utc", 30],
  ["database_name", 40],
  ["Physical_Name", 80],
  ["File_Size_MB", 40, "number"],
  ["Average_Read_Latency", 20, "number"],
  ["Average_Write_Latency", 21, "number"],
  ["Average_Bytes_Read", 20, "number"],
  ["Average_Bytes_Write", 20, "number"],
];

const fileRow = (minute: number, path: string, ms: number): (string | number)[] => [
  `2026-05-14T04:${minute}:30.120`,
  `2026-05-14T02:${minute}:30.117`,
  "Sales",
  path,
  "8.000000",
  "0.4",
  ms.toFixed(1),
  "NULL",
  "60416",
];

test("file statistics are cumulative, of slow files only, and show the server's offset", async () => {
  const path = "F:\\SQL Log\\Sales.ldf";
  const found = await read(
    rowset("file_io_stats", FILE_COLUMNS, [fileRow(16, path, 18)]) +
      waitRowset("2026-05-14T04:16:30.120", [["WRITELOG", 1, 1]]) +
      rowset("file_io_stats", FILE_COLUMNS, []) +
      rowset("file_io_stats", FILE_COLUMNS, [
        fileRow(18, path, 21.5),
        fileRow(18, "C:\\Users\\ada\\tempdb.mdf", 16),
      ]),
    null,
  );
  const write = only(found, "average write latency", path);
  expect(write).toMatchObject({ form: "cumulative", unit: "ms" });
  expect(Array.from(write.values)).toEqual([18, 21.5]);
  expect(write.atUs[0]).toBe(usOf("2026-05-14T02:16:30.117Z"));
  expect(only(found, "file size", path).values[0]).toBe(8 * 1024 * 1024);
  expect(only(found, "average read size", path).values[0]).toBeNaN();
  // Not listed in the first snapshot, and without the user's name.
  expect(Array.from(only(found, "average write latency", "C:\\Users\\…\\tempdb.mdf").values)).toEqual([
    Number.NaN,
    16,
  ]);
  expect(only(found, "wait time", "WRITELOG").atUs[0]).toBe(usOf("2026-05-14T02:16:30.120Z"));
  expect(textsOf(found.remarks)).toContain(
    "File statistics are averages since SQL Server started, and only of files over 15 ms.",
  );
});

const SCHEDULER_COLUMNS: readonly SqlcmdColumn[] = [
  ["runtime", 30],
  ["scheduler_id", 12, "number"],
  ["status", 60],
  ["runnable_tasks_count", 20, "number"],
  ["work_queue_count", 20, "number"],
  ["ideal_workers_limit", 20, "number"],
];

const SCHEDULER_ROWS = rowset("dm_os_schedulers", SCHEDULER_COLUMNS, [
  ["2026-05-14T02:16:30.120", 0, "VISIBLE ONLINE", 3, 0, 128],
  ["2026-05-14T02:16:30.120", 1, "VISIBLE ONLINE", 12, 1, 128],
  ["2026-05-14T02:16:30.120", 1048578, "HIDDEN ONLINE", 0, 0, 0],
]);

test("schedulers have runnable tasks, hidden ones aren't read, and other columns are counted or kept", async () => {
  const found = await read(SCHEDULER_ROWS);
  expect(found.series.map(({ of, metric, values }) => [of, metric, values[0]])).toEqual([
    ["scheduler 0", "runnable tasks", 3],
    ["scheduler 1", "runnable tasks", 12],
    ["scheduler 0", "tasks without a worker", 0],
    ["scheduler 1", "tasks without a worker", 1],
  ]);
  expect(found.notUnderstood).toEqual({
    file: "SQL1_PerfStats.out",
    count: 1,
    first: ["Column ideal_workers_limit of schedulers"],
  });
  const kept = await readSamples(file("schedulers"), chunksOf(SCHEDULER_ROWS), {
    columns: new Set(["ideal_workers_limit"]),
  });
  expect(only(kept!, "ideal_workers_limit", "scheduler 1").values[0]).toBe(128);
  expect(kept!.notUnderstood).toBeNull();
  const csv = "runtime,scheduler_id,status,runnable_tasks_count\n2026-05-14 02:16:30,0,VISIBLE ONLINE,4\n";
  expect((await readSamples(file("schedulers"), chunksOf(csv)))!.series[0]!.values[0]).toBe(4);
});

test("other rowsets are counted by name, without their content", async () => {
  const statement = "SELECT secret FROM payroll";
  const found = await read(
    THREE[0] +
      rowset(
        "requests",
        [
          ["runtime", 30],
          ["text", 40],
        ],
        [["2026-05-14T02:16:30", statement]],
      ),
  );
  expect(found.notUnderstood).toEqual({
    file: "SQL1_PerfStats.out",
    count: 1,
    first: ["Rowset requests"],
  });
});

describe("damaged files", () => {
  test("a cut row, a row between the columns and a head without dashes are counted", async () => {
    const lines = THREE[0]!.split("\r\n");
    lines[3] = lines[3]!.slice(0, 60);
    const shifted = THREE[1]!.split("\r\n");
    shifted[4] = ` ${shifted[4]}`;
    const found = await read(
      `${lines.join("\r\n")}${shifted.join("\r\n")}-- dm_os_wait_stats --\r\nruntime wait_type\r\nMsg 229, Level 14\r\n`,
    );
    expect(found.notUnderstood).toMatchObject({ count: 4 });
    // With a damaged row in the snapshot before, a type that isn't in it may have had waits.
    expect(Array.from(only(found, "wait time", "PAGEIOLATCH_SH").values)).toEqual([Number.NaN, Number.NaN]);
  });

  test("any damage leaves finite deltas and counts, and never throws", async () => {
    const text = HEAD + THREE.join("") + SCHEDULER_ROWS;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(text.length - 1), fc.constantFrom("", "-", "\n", "\0", "9", "x", " ")), {
          maxLength: 30,
        }),
        fc.nat(text.length),
        async (changes, end) => {
          const letters = Array.from(text);
          for (const [at, letter] of changes) letters[at] = letter;
          const found = await read(letters.slice(0, end).join(""));
          for (const { form, values, atUs } of found.series) {
            expect(values.length).toBe(atUs.length);
            if (form === "delta")
              expect(values.every((value) => Number.isNaN(value) || value >= 0)).toBe(true);
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});
