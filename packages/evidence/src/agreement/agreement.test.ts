import { describe, expect, test } from "vitest";
import fc from "fast-check";
import type { EvidenceEvent, EvidenceSeries, RecognizedFile } from "../shapes.ts";
import { checkAgreement } from "./agreement.ts";
import type { Agreement, AgreementRule, CaptureFigures } from "./figures.ts";

const MINUTE = 60e6;
const FIGURES: CaptureFigures = {
  fromUs: 10 * MINUTE,
  untilUs: 14 * MINUTE,
  primary: "SQL1\\PROD",
  commits: [
    { replica: "SQL3", meanMs: 1, plusMinusMs: 0.1, count: 24_000 },
    { replica: "SQL2", meanMs: 20, plusMinusMs: 1.3, count: 24_000 },
  ],
  logWrites: [
    { server: "SQL1\\PROD", volume: "F:", meanMs: 0.8, p50Ms: 0.6, longestMs: 12, plusMinusMs: 0 },
    { server: "SQL2", volume: "G:", meanMs: 18, p50Ms: 4.8, longestMs: 16_200, plusMinusMs: 0 },
  ],
};

const series = (
  metric: string,
  of: string | null,
  values: readonly number[],
  more: Partial<EvidenceSeries> = {},
): EvidenceSeries => ({
  metric,
  unit: "ms",
  server: "SQL1",
  of,
  form: "sample",
  atUs: Float64Array.from(values, (_, at) => (10 + at) * MINUTE),
  values: Float64Array.from(values),
  source: { file: "f", column: metric },
  ...more,
});

const slowIo = (server: string, minute: number, count: number, text: string): EvidenceEvent => ({
  kind: "slowIo",
  atUs: minute * MINUTE,
  fromUs: minute * MINUTE - 15e6,
  server,
  group: null,
  database: null,
  replica: null,
  message: 833,
  states: null,
  count,
  text,
  sources: [{ file: "ERRORLOG", place: 7, text: null, plusMinusUs: 10_000 }],
  lsn: null,
});

const errorlog = (server: string): RecognizedFile => ({
  name: "ERRORLOG",
  kind: "errorlog",
  server,
  serverFrom: "content",
  utcOffsetMinutes: 0,
  use: "",
  state: "used",
});

interface Files {
  series?: EvidenceSeries[];
  events?: EvidenceEvent[];
  files?: RecognizedFile[];
}

const check = (found: Files, figures = FIGURES): Agreement[] =>
  checkAgreement({ series: [], events: [], files: [], ...found }, figures);

const only = (rule: AgreementRule, found: Files, figures = FIGURES): Agreement | undefined =>
  check(found, figures).find((one) => one.rule === rule);

/** Spaces that don't break are spaces. */
const plain = (agreement: Agreement | undefined): string | undefined =>
  agreement?.text.replaceAll("\u00A0", " ");

test("nothing to compare is no answer", () => {
  expect(check({})).toEqual([]);
});

describe("Transaction Delay / Mirrored Write Transactions", () => {
  const mirrored = series("mirrored write transactions", "_Total", [0, 100, 100, 100]);
  const delay = (...values: number[]): EvidenceSeries => series("transaction delay in ms", "_Total", values);

  test("agrees with the mean wait of commits for the slowest replica", () => {
    const found = only("transactionDelay", { series: [delay(9, 1900, 2000, 2100), mirrored] });
    expect(found).toMatchObject({ agrees: true, server: "SQL1" });
    // Ratios 19, 20 and 21: the standard error is sqrt(2/3 / 2).
    expect(plain(found)).toBe(
      "By counters a transaction waited 20.0 ms ± 577 µs for its commit. In the events it waited 20.0 ms ± 1.30 ms for SQL2.",
    );
    expect(found!.sources).toEqual([
      { file: "f", place: "transaction delay in ms" },
      { file: "f", place: "mirrored write transactions" },
    ]);
  });

  test("contradicts it beyond the uncertainty and a factor of 1.5", () => {
    expect(only("transactionDelay", { series: [delay(9, 4000, 4000, 4000), mirrored] })!.agrees).toBe(false);
    expect(only("transactionDelay", { series: [delay(9, 2800, 3000, 3200), mirrored] })!.agrees).toBe(true);
  });

  test("of damaged samples is no figure", () => {
    const tiny = series("mirrored write transactions", "_Total", [0, 1e-300, 1e-300, 100]);
    expect(only("transactionDelay", { series: [delay(9, 1e300, 1e300, 2100), tiny] })).toBeUndefined();
  });

  test("is of databases where the sum is missing, of the primary only, and needs two samples", () => {
    const sales = [
      series("transaction delay in ms", "Sales", [0, 1000, 1000]),
      series("mirrored write transactions", "Sales", [0, 50, 50]),
    ];
    expect(plain(only("transactionDelay", { series: sales }))).toContain("waited 20.0 ms ± 0.00 ms");
    const others = sales.map((one) => ({ ...one, server: "SQL2" }));
    expect(only("transactionDelay", { series: others })).toBeUndefined();
    const single = [delay(0, 2000), series("mirrored write transactions", "_Total", [0, 100])];
    expect(only("transactionDelay", { series: single })).toBeUndefined();
  });
});

describe("waits between snapshots", () => {
  const waits = (type: string, ms: number[], counts: number[], server = "SQL1\\PROD"): EvidenceSeries[] => [
    series("wait time", type, ms, { form: "delta", server }),
    series("waits", type, counts, { form: "delta", server }),
  ];

  test("HADR_SYNC_COMMIT has the mean wait and the sessions that waited", () => {
    const found = only("syncCommitWaits", {
      series: waits("HADR_SYNC_COMMIT", [Number.NaN, 120_000, 132_000], [Number.NaN, 6000, 6000]),
    });
    expect(found!.agrees).toBe(true);
    // 252 s of waiting in 2 minutes, and 24,000 commits of 20 ms in 4 minutes.
    expect(plain(found)).toBe(
      "HADR_SYNC_COMMIT on SQL1\\PROD took 21.0 ms ± 0.00 ms (2.10 sessions waiting). In the events commits waited 20.0 ms ± 1.30 ms for SQL2 (2.00 sessions waiting).",
    );
  });

  test("WRITELOG is compared on each server, and a contradiction is first", () => {
    const found = check({
      series: [
        ...waits("HADR_SYNC_COMMIT", [Number.NaN, 120_000], [Number.NaN, 6000]),
        ...waits("WRITELOG", [Number.NaN, 30_000], [Number.NaN, 1000], "sql1.contoso.com"),
      ],
    });
    expect(found.map(({ rule, agrees }) => [rule, agrees])).toEqual([
      ["logWriteWaits", false],
      ["syncCommitWaits", true],
    ]);
  });

  test("that reach beyond the window decide nothing", () => {
    const found = only("syncCommitWaits", {
      series: waits("HADR_SYNC_COMMIT", [Number.NaN, 120_000], [Number.NaN, 6000]).map((one) => ({
        ...one,
        atUs: Float64Array.of(0, 60 * MINUTE),
      })),
    });
    expect(found!.agrees).toBeNull();
    expect(plain(found)).toContain("20.0 ms between snapshots that reach beyond this time");
  });

  test("of one snapshot since the last start are not compared", () => {
    const cumulative = waits("HADR_SYNC_COMMIT", [120_000], [6000]).map((one) => ({
      ...one,
      form: "cumulative" as const,
    }));
    expect(only("syncCommitWaits", { series: cumulative })).toBeUndefined();
  });
});

describe("requests over 15 s", () => {
  test("on the log agree with the longest log write", () => {
    const found = only("longRequests", { events: [slowIo("SQL2", 12, 5, "5 requests on G:\\Sales.ldf")] });
    expect(found).toMatchObject({
      agrees: true,
      server: "SQL2",
      sources: [{ file: "ERRORLOG", place: "7" }],
    });
    expect(plain(found)).toBe(
      "SQL2 reported 5 requests over 15 s on its log. In the events the longest log write took 16.2 s ± 0.00 ms.",
    );
  });

  test("on the log of a server whose log writes were short contradict", () => {
    expect(only("longRequests", { events: [slowIo("SQL1", 12, 1, "F:\\Sales.ldf")] })).toMatchObject({
      agrees: false,
      server: "SQL1\\PROD",
    });
  });

  test("on data files decide nothing, unless a log write was long", () => {
    expect(only("longRequests", { events: [slowIo("SQL1", 12, 1, "F:\\Sales.mdf")] })!.agrees).toBeNull();
    expect(only("longRequests", { events: [slowIo("SQL2", 12, 1, "G:\\Sales.mdf")] })!.agrees).toBe(false);
  });

  test("that a server with an ERRORLOG didn't report, in time or later, agree with short log writes only", () => {
    const found = check({ files: [errorlog("SQL1\\PROD"), errorlog("SQL2")] });
    expect(found.map(({ rule, agrees, server }) => [rule, agrees, server])).toEqual([
      ["longRequests", false, "SQL2"],
      ["longRequests", true, "SQL1\\PROD"],
    ]);
    const later = check({ files: [errorlog("SQL2")], events: [slowIo("SQL2", 17, 1, "G:\\Sales.ldf")] });
    expect(later).toEqual([]);
  });

  describe("that io_subsystem counted", () => {
    const counted = (server: string, ...values: number[]): EvidenceSeries[] => [
      series("requests over 15 s", null, [Number.NaN, ...values], {
        form: "delta",
        server,
        atUs: Float64Array.from([7, 12, 17], (minute) => minute * MINUTE),
      }),
    ];

    test("agree with a long log write, and decide nothing without one: they may be on data files", () => {
      const found = only("ioSubsystem", { series: counted("SQL2", 2, 1) });
      expect(found!.agrees).toBe(true);
      expect(plain(found)).toBe(
        "io_subsystem on SQL2 counted 3 requests over 15 s on all files. In the events the longest log write took 16.2 s ± 0.00 ms.",
      );
      expect(only("ioSubsystem", { series: counted("SQL1", 2, 1) })!.agrees).toBeNull();
    });

    test("are counted once, by the file that reports most of the time", () => {
      const rolledOver = counted("SQL2", 9).map((one) => ({ ...one, source: { file: "b", column: "c" } }));
      const found = only("ioSubsystem", { series: [...rolledOver, ...counted("SQL2", 2, 1)] });
      expect(plain(found)).toContain("counted 3 requests");
      expect(found!.sources).toEqual([{ file: "f", place: "requests over 15 s" }]);
    });

    test("are none: this contradicts a long log write, unless a part of the time has no report", () => {
      expect(only("ioSubsystem", { series: counted("SQL2", 0, 0) })!.agrees).toBe(false);
      expect(only("ioSubsystem", { series: counted("SQL1", 0, 0) })!.agrees).toBe(true);
      expect(only("ioSubsystem", { series: counted("SQL2", Number.NaN, 0) })!.agrees).toBeNull();
    });
  });
});

describe("the disk of the log", () => {
  test("by counters is that of its volume, without samples in which nothing was written", () => {
    const disks = [
      series("disk write latency", "G:", [0, 0, 17, 19], { server: "SQL2" }),
      series("disk write latency", "0 C:", [500, 500, 500, 500], { server: "SQL2" }),
    ];
    const found = only("logDisk", { series: disks });
    expect(found!.agrees).toBe(true);
    expect(plain(found)).toContain("By counters a write to G: on SQL2 took 18.0 ms ± 1.00 ms.");
  });

  test("by Diskspd: log writes are at most twice as slow as in the test", () => {
    const test = (of: string | null, server: string): EvidenceSeries[] => [
      series("reference log write p50", of, [0.8], { server, atUs: Float64Array.of(Number.NaN) }),
    ];
    const found = only("diskspd", { series: test("G:", "SQL2") });
    expect(found!.agrees).toBe(false);
    expect(plain(found)).toBe(
      "Log writes on SQL2 took 4.80 ms ± 0.00 ms (p50), 6.00 times the 800 µs ± 0.50 µs of Diskspd.",
    );
    expect(only("diskspd", { series: test("F:", "SQL1") })!.agrees).toBe(true);
    expect(only("diskspd", { series: test(null, "SQL2") })!.agrees).toBeNull();
    expect(only("diskspd", { series: test("H:", "SQL2") })).toBeUndefined();
  });
});

test("whatever the samples are, contradictions are first and no text has a NaN", () => {
  // Files have figures with few decimals; quotients of the smallest doubles are infinite.
  const figure = fc.double({ min: 0, max: 1e9, noNaN: true }).map((double) => Number(double.toFixed(6)));
  const value = fc.oneof(figure, fc.constant(Number.NaN));
  const metric = fc.constantFrom(
    ["transaction delay in ms", "_Total"],
    ["mirrored write transactions", "_Total"],
    ["wait time", "WRITELOG"],
    ["waits", "WRITELOG"],
    ["wait time", "HADR_SYNC_COMMIT"],
    ["waits", "HADR_SYNC_COMMIT"],
    ["disk write latency", "F:"],
    ["reference log write p50", "F:"],
  );
  const any = fc.record({ metric, values: fc.array(value, { maxLength: 6 }), isDelta: fc.boolean() });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 12 }), (all) => {
      const found = check({
        series: all.map(({ metric: [name = "", of = ""], values, isDelta }) =>
          series(name, of, values, { form: isDelta ? "delta" : "sample" }),
        ),
      });
      const order = found.map(({ agrees }) => [false, true, null].indexOf(agrees));
      expect(order).toEqual(order.toSorted((a, b) => a - b));
      for (const { text } of found) expect(text).not.toMatch(/NaN|Infinity|undefined/u);
    }),
  );
});
