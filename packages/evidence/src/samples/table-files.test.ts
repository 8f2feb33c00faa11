import fc from "fast-check";
import { expect, test } from "vitest";
import { chunksOf, textsOf, usOf } from "../../test/sample-files.ts";
import { readSamples } from "./read-samples.ts";
import type { Samples } from "./samples.ts";

const read = async (text: string, utcOffsetMinutes: number | null = null): Promise<Samples> =>
  (await readSamples(
    {
      name: "waits.csv",
      kind: "waits",
      server: "SQL1",
      serverFrom: "name",
      utcOffsetMinutes,
      use: "",
      state: "used",
    },
    chunksOf(text, 50),
  ))!;

const rows = ({ series }: Samples): unknown[] =>
  series.map(({ metric, of, form, values }) => [metric, of, form, ...values]);

test("the columns of the known script are cumulative figures without a time", async () => {
  const found = await read(
    `WaitType,Wait_S,Resource_S,Signal_S,WaitCount,Percentage,AvgWait_S,Own
WRITELOG,12.50,12.00,0.50,1000,61.5,0.0125,x
HADR_SYNC_COMMIT,7.25,7.25,0.00,500,35.7,0.0145,x
`,
  );
  expect(rows(found)).toEqual([
    ["wait time", "WRITELOG", "cumulative", 12_500],
    ["wait time", "HADR_SYNC_COMMIT", "cumulative", 7250],
    ["resource wait time", "WRITELOG", "cumulative", 12_000],
    ["resource wait time", "HADR_SYNC_COMMIT", "cumulative", 7250],
    ["signal wait time", "WRITELOG", "cumulative", 500],
    ["signal wait time", "HADR_SYNC_COMMIT", "cumulative", 0],
    ["waits", "WRITELOG", "cumulative", 1000],
    ["waits", "HADR_SYNC_COMMIT", "cumulative", 500],
    ["share of waits", "WRITELOG", "cumulative", 0.615],
    ["share of waits", "HADR_SYNC_COMMIT", "cumulative", 0.35700000000000004],
  ]);
  expect(found.series[0]!.atUs[0]).toBeNaN();
  expect(textsOf(found.remarks)).toEqual([
    "One snapshot of wait statistics without a time: figures count from the last start of SQL Server.",
  ]);
  expect(found.notUnderstood).toEqual({ file: "waits.csv", count: 1, first: ["Column Own"] });
});

test("semicolons have decimal commas", async () => {
  const found = await read(`WaitType;Wait_S;WaitCount\r\nWRITELOG;12,50;1000\r\nOTHER;0,25;2\r\n`);
  expect(found.series[0]!.values[0]).toBe(12_500);
});

const SNAPSHOTS = `wait_type,waiting_tasks_count,wait_time_ms,collection_time
WRITELOG,10,100,2026-05-14T02:16:30.1234567 +02:00
WRITELOG,16,190,2026-05-14T02:17:30.1234567 +02:00
OTHER,3,30,2026-05-14T02:17:30.1234567 +02:00
`;

test("several snapshots are deltas; a type that appears later has none, for a script may leave types out", async () => {
  const found = await read(SNAPSHOTS, 0);
  expect(rows(found)).toEqual([
    ["waits", "WRITELOG", "delta", Number.NaN, 6],
    ["waits", "OTHER", "delta", Number.NaN, Number.NaN],
    ["wait time", "WRITELOG", "delta", Number.NaN, 90],
    ["wait time", "OTHER", "delta", Number.NaN, Number.NaN],
  ]);
  expect(found.series[0]!.atUs[1]).toBe(usOf("2026-05-14T00:17:30.123Z") + 456);
});

test.each([
  [
    "attributes",
    `<row wait_type="WRITELOG" wait_time_ms="100" waiting_tasks_count="10" runtime="2026-05-14T02:16:30"/>
     <row wait_type="WRITELOG" wait_time_ms="190" waiting_tasks_count="16" runtime="2026-05-14T02:17:30"/>`,
  ],
  [
    "elements",
    `<?xml version="1.0"?><waits>
     <row><wait_type>WRITELOG</wait_type><wait_time_ms>100</wait_time_ms><waiting_tasks_count>10</waiting_tasks_count><runtime>2026-05-14T02:16:30</runtime></row>
     <row><wait_type>WRITELOG</wait_type><wait_time_ms>190</wait_time_ms><waiting_tasks_count>16</waiting_tasks_count><runtime>2026-05-14T02:17:30</runtime></row></waits>`,
  ],
])("XML with %s is read as the table", async (_, text) => {
  expect(rows(await read(text, 60))).toEqual([
    ["wait time", "WRITELOG", "delta", Number.NaN, 90],
    ["waits", "WRITELOG", "delta", Number.NaN, 6],
  ]);
  expect(await read(text)).toMatchObject({ series: [{ isLocal: true }, { isLocal: true }] });
});

test("damaged XML has the rows before the damage, and says so", async () => {
  const found = await read(`<waits><row wait_type="WRITELOG" wait_time_ms="100"/><row wait_ty`);
  expect(found.series.length).toBe(1);
  expect(found.notUnderstood!.first).toEqual(["The XML is damaged. Rows after the damage are missing."]);
});

test("a file without column heads is refused in words", async () => {
  expect(textsOf((await read("WRITELOG,1,2\n")).remarks)).toEqual([
    "The file has no column heads of wait statistics.",
  ]);
  expect((await read("")).series).toEqual([]);
});

test("any text is read without an error", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.constantFrom(
          "<row ",
          "wait_type",
          "=",
          '"',
          "WRITELOG",
          ",",
          "\n",
          "1",
          "/>",
          "&#0;",
          "]]>",
          "wait_time_ms",
          "\0",
        ),
        { maxLength: 40 },
      ),
      async (parts) => {
        await read(parts.join(""), 0);
        await read(SNAPSHOTS + parts.join(""), 0);
      },
    ),
    { numRuns: 200 },
  );
});
