import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chunksOf, textsOf, usOf } from "../../test/sample-files.ts";
import { counterPath, relogCommand } from "./counter-rules.ts";
import { readSamples } from "./read-samples.ts";
import type { SampleOptions, Samples } from "./samples.ts";

const read = async (
  text: string,
  utcOffsetMinutes: number | null = null,
  settings: Partial<SampleOptions> = {},
): Promise<Samples> =>
  (await readSamples(
    {
      name: "counters.csv",
      kind: "counters",
      server: "SQL9",
      serverFrom: "name",
      utcOffsetMinutes,
      use: "",
      state: "used",
    },
    chunksOf(text, 100),
    settings,
  ))!;

const csv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${row.map((cell) => `"${cell}"`).join(",")}\r\n`).join("");

const RELOG = csv([
  [
    "(PDH-CSV 4.0) (W. Europe Standard Time)(-60)",
    "\\\\SQL1\\LogicalDisk(F:)\\Avg. Disk sec/Write",
    "\\\\SQL1\\LogicalDisk(F:)\\Current Disk Queue Length",
    "\\\\SQL1\\MSSQL$PROD:Database Replica(Sales)\\Transaction Delay",
    "\\\\SQL1\\SQLServer:Database Replica(Sales)\\Log Send Queue",
    "\\\\SQL1\\Processor(_Total)\\% Processor Time",
  ],
  ["05/14/2026 03:16:30.001", "0.0123", "4", " ", "8", " "],
  ["05/14/2026 03:16:45.001", "0.25", "17", "120.5", "16", "93.25"],
]);

test("a CSV of relog is on the UTC clock of its head, and a blank first rate is no value", async () => {
  const { series, server, notUnderstood, remarks } = await read(RELOG, 330);
  expect(server).toBe("SQL1");
  expect(series.map(({ metric, unit, of, server, values }) => [metric, unit, of, server, ...values])).toEqual(
    [
      ["disk write latency", "ms", "F:", "SQL1", 12.3, 250],
      ["disk queue", "count", "F:", "SQL1", 4, 17],
      ["transaction delay in ms", "perSecond", "Sales", "SQL1\\PROD", Number.NaN, 120.5],
      ["log send queue", "bytes", "Sales", "SQL1", 8192, 16_384],
    ],
  );
  expect(series[0]!.atUs[0]).toBe(usOf("2026-05-14T02:16:30.001Z"));
  expect(series[0]).toMatchObject({ form: "sample", source: { file: "counters.csv" } });
  expect(notUnderstood).toEqual({
    file: "counters.csv",
    count: 1,
    first: ["Column \\\\SQL1\\Processor(_Total)\\% Processor Time"],
  });
  expect(textsOf(remarks)).toEqual([]);
});

test("another column is kept by its name", async () => {
  const path = "\\\\SQL1\\Processor(_Total)\\% Processor Time";
  const { series, notUnderstood } = await read(RELOG, null, { columns: new Set([path]) });
  expect(series.at(-1)).toMatchObject({
    metric: "% Processor Time",
    of: "Processor(_Total)",
    source: { column: path },
  });
  expect(notUnderstood).toBeNull();
});

const TYPEPERF = `
"(PDH-CSV 4.0)","\\\\SQL1\\PhysicalDisk(2 F:)\\Avg. Disk sec/Write"
"05/14/2026 03:16:30.001","0.001"
"05/14/2026 03:16:31.014","0.002"
Exiting, please wait...
The command completed successfully.

`;

describe("a CSV of typeperf", () => {
  test("is in local time without a zone", async () => {
    const none = await read(TYPEPERF);
    expect(none).toMatchObject({ series: [{ isLocal: true }], server: "SQL1", remarks: [] });
    expect(none.series[0]!.atUs[1]).toBe(usOf("2026-05-14T03:16:31.014Z"));
    const { series, notUnderstood } = await read(TYPEPERF, 60);
    expect(series[0]).toMatchObject({ metric: "disk write latency", of: "2 F:" });
    expect(Array.from(series[0]!.values)).toEqual([1, 2]);
    expect(series[0]!.atUs[1]).toBe(usOf("2026-05-14T02:16:31.014Z"));
    // Its last lines are known.
    expect(notUnderstood).toBeNull();
  });

  test("with localized names is counted, and said", async () => {
    const { series, notUnderstood, remarks } = await read(
      TYPEPERF.replace(
        "PhysicalDisk(2 F:)\\Avg. Disk sec/Write",
        "Physikalischer Datenträger(2 F:)\\Mittlere Sek./Schreibvorgänge",
      ),
      60,
    );
    expect(series).toEqual([]);
    expect(notUnderstood).toMatchObject({ count: 1 });
    expect(textsOf(remarks)).toEqual(["No column has the English name of a counter that AG Lens uses."]);
  });
});

test("a cut row, a time that goes back, a second head and a value that is no number are counted", async () => {
  const { series, notUnderstood } = await read(
    RELOG +
      csv([
        ["05/14/2026 03:17:00.001", "1"],
        ["05/14/2026 03:16:00.001", "1", "1", "1", "1", "1"],
        ["(PDH-CSV 4.0) (UTC)(0)", "\\\\SQL2\\LogicalDisk(F:)\\Avg. Disk sec/Write"],
        ["14.05.2026 03:17:00", "1", "1", "1", "1", "1"],
        ["05/14/2026 03:17:15.001", "?", "1", "1", "1", "1"],
      ]),
  );
  expect(series[0]!.atUs.length).toBe(3);
  expect(series[0]!.values[2]).toBeNaN();
  expect(notUnderstood).toMatchObject({ count: 6 });
});

test("any damage leaves columns of one length in time order", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(RELOG.length - 1), fc.constantFrom("", '"', ",", "\n", "\0", "7")), {
        maxLength: 20,
      }),
      fc.nat(RELOG.length),
      async (changes, end) => {
        const letters = Array.from(RELOG);
        for (const [at, letter] of changes) letters[at] = letter;
        const { series } = await read(letters.slice(0, end).join(""), 0);
        for (const { atUs, values } of series) {
          expect(values.length).toBe(atUs.length);
          expect(atUs).toEqual(atUs.toSorted());
        }
      },
    ),
    { numRuns: 150 },
  );
});

describe("a path of a counter", () => {
  test("has parts, whatever characters they contain", () => {
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9 _.-]{0,12}[a-z]$/u);
    fc.assert(
      fc.property(
        name,
        name,
        fc.stringMatching(/^[A-Za-z0-9 :()#_.\\-]{1,20}$/u),
        name,
        (host, object, of, counter) => {
          expect(counterPath(`\\\\${host}\\${object}(${of})\\${counter}`)).toEqual({
            server: host,
            object,
            of,
            counter,
          });
        },
      ),
    );
    expect(counterPath("\\Memory\\Available Bytes")).toEqual({
      server: null,
      object: "Memory",
      of: null,
      counter: "Available Bytes",
    });
    expect(counterPath("Available Bytes")).toBeNull();
  });
});

test("the command for a binary file names the counters of its server and instance", () => {
  expect(relogCommand("logs/SQL1 perfmon.BLG", "SQL1\\PROD")).toBe(
    String.raw`relog "SQL1 perfmon.BLG" -c "\\SQL1\LogicalDisk(*)\Avg. Disk sec/Write" "\\SQL1\LogicalDisk(*)\Current Disk Queue Length" "\\SQL1\MSSQL$PROD:Database Replica(*)\*" "\\SQL1\MSSQL$PROD:Availability Replica(*)\*" -f csv -o "SQL1 perfmon.csv"`,
  );
  expect(relogCommand("a.blg", null)).toContain(String.raw`"\SQLServer:Database Replica(*)\*"`);
});
