import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeReference } from "@aglens/reference-data";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chunksOf, textsOf, usOf } from "../../test/sample-files.ts";
import { diskspdFigure, readDiskspdText } from "./diskspd.ts";
import { readSamples } from "./read-samples.ts";
import type { Samples } from "./samples.ts";

const TEXT = `
Command Line: diskspd.exe -L -w100 F:\\test.dat

Input parameters:

	timespan:   1
	-------------
	path: 'F:\\test.dat'

System information:

	computer name: SQL2
	start time: 2026/05/14 01:00:00 UTC

total:
  %-ile |  Read (ms) | Write (ms) | Total (ms)
----------------------------------------------
    min |        N/A |      0.318 |      0.318
   25th |        N/A |      0.472 |      0.472
   50th |        N/A |      0.500 |      0.500
   95th |        N/A |      1.250 |      1.250
3-nines |        N/A |     12.000 |     12.000
7-nines |        N/A |     40.100 |     40.100
    max |        N/A |     40.100 |     40.100
`;

const bucket = (percent: number, ms: number, side = "Write"): string =>
  `<Bucket><Percentile>${percent}</Percentile><${side}Milliseconds>${ms}</${side}Milliseconds></Bucket>`;

const XML = `<Results>
<System><ComputerName>SQL2</ComputerName><RunTime>2026/05/14 01:00:00 UTC</RunTime></System>
<Profile><TimeSpans><TimeSpan><Targets><Target><Path>F:\\test.dat</Path></Target></Targets></TimeSpan></TimeSpans></Profile>
<TimeSpan><TestTimeSeconds>30.00</TestTimeSeconds>
<Latency WriteHistoBuckets="12"><AverageWriteMilliseconds>0.612</AverageWriteMilliseconds>
${bucket(0, 0.318)}${bucket(1, 0.33)}${bucket(50, 0.5)}${bucket(95, 1.25)}${bucket(99.9, 12)}${bucket(100, 40.1)}
</Latency>
<Thread><Target><Path>F:\\test.dat</Path><Latency>${bucket(50, 9)}${bucket(100, 90)}</Latency></Target></Thread>
</TimeSpan></Results>`;

const read = async (text: string): Promise<Samples> =>
  (await readSamples(
    {
      name: "d.txt",
      kind: "diskspd",
      server: "SQL2",
      serverFrom: "name",
      utcOffsetMinutes: null,
      use: "",
      state: "used",
    },
    chunksOf(text),
  ))!;

describe.each([
  ["text", TEXT, "p0=0.318ms,p25=0.472ms,p50=0.5ms,p95=1.25ms,p99.9=12ms,p99.99999=40.1ms,p100=40.1ms"],
  ["XML", XML, "p0=0.318ms,p50=0.5ms,p95=1.25ms,p99.9=12ms,p100=40.1ms"],
])("a result as %s", (_, text, figure) => {
  test("has the percentiles of write latency of the complete time span", () => {
    expect(diskspdFigure(text)).toBe(figure);
  });

  test("is the reference of the log write of its volume, at the start of the test", async () => {
    const { series, remarks } = await read(text);
    expect(series.map(({ metric, of, values }) => [metric, of, values[0]])).toEqual([
      ["reference log write p50", "F:", 0.5],
      ["reference log write p95", "F:", 1.25],
      ["reference log write p99.9", "F:", 12],
      ["reference log write max", "F:", 40.1],
    ]);
    expect(series[0]!.atUs[0]).toBe(usOf("2026-05-14T01:00:00Z"));
    expect(textsOf(remarks)).toEqual([]);
  });

  test("with a second time span uses the first one, and says so", async () => {
    const twice =
      text === TEXT
        ? text + text.replace("0.500", "0.700")
        : text.replace(
            "</Results>",
            `<TimeSpan><Latency>${bucket(50, 7)}${bucket(100, 9)}</Latency></TimeSpan></Results>`,
          );
    const { series, remarks } = await read(twice);
    expect(series[0]!.values[0]).toBe(0.5);
    expect(textsOf(remarks)).toEqual(["The result has 2 time spans. AG Lens uses the first one."]);
  });
});

test("rows without their head are enough", () => {
  const rows = TEXT.slice(TEXT.indexOf("   50th"), TEXT.indexOf("3-nines"));
  expect(diskspdFigure(rows)).toBe("p50=0.5ms,p95=1.25ms");
});

test("the volume is unknown when the files are on two", async () => {
  const { series } = await read(TEXT.replace("path: 'F:", "path: 'G:\\x'\n	path: 'F:"));
  expect(series[0]!.of).toBeNull();
});

describe("a text without latencies of writes is refused in words", () => {
  test.each([
    [
      "a test that only read",
      TEXT.replaceAll(/\|\s+N\/A \|\s+([\d.]+) \|/gu, "|  $1 |        N/A |"),
      "no latency of writes",
    ],
    ["a test without -L", TEXT.slice(0, TEXT.indexOf("total:")), "no latencies"],
    ["another text", "", "no latencies"],
    ["one line of a table", "    max |        N/A |     40.100 |     40.100", "no latencies"],
    ["XML of a test that only read", XML.replaceAll("Write", "Read"), "no latency of writes"],
    [
      "a profile",
      "<Profile><TimeSpans><TimeSpan/></TimeSpans></Profile>",
      "profile of Diskspd without results",
    ],
    ["cut XML", XML.slice(0, 40), "damaged"],
  ])("%s", async (_, text, reason) => {
    expect(diskspdFigure(text)).toBeNull();
    expect(await read(text)).toMatchObject({
      series: [],
      remarks: [{ text: expect.stringContaining(reason) }],
    });
  });
});

test("any part of a result has rising percentiles, or is refused", () => {
  fc.assert(
    fc.property(fc.constantFrom(TEXT, XML), fc.nat(TEXT.length), fc.nat(TEXT.length), (text, from, end) => {
      const found = readDiskspdText(text.slice(0, from) + text.slice(end));
      if ("refused" in found) return;
      for (const [percent, ms] of found.writeMs) {
        expect(percent).toBeGreaterThanOrEqual(0);
        expect(percent).toBeLessThanOrEqual(100);
        expect(ms).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});

describeReference(
  { folder: "evidence", tests: 2, prove: "results of Diskspd's own unit tests are refused with the reason" },
  (folder) => {
    const sample = (name: string): string => readFileSync(join(folder, "diskspd", name), "utf8");

    test("the text without -L", async () => {
      expect(textsOf((await read(sample("unittest-result.txt"))).remarks)).toEqual([
        "The result of Diskspd has no latencies. Run Diskspd with -L and writes (-w100).",
      ]);
    });

    test("the profile without results", async () => {
      expect(textsOf((await read(sample("unittest-result.xml"))).remarks)).toEqual([
        "A profile of Diskspd without results. Provide the output of the run.",
      ]);
    });
  },
);
