import { readFacts, recognizeFile, type EvidenceEvent, type FileFacts } from "@aglens/evidence";
import type { CaptureModel, ClockFit } from "@aglens/ag-model/replication";
import { EvidenceAnswer, EvidenceSamples } from "@aglens/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { modelOf } from "../../../ag-model/test/model.ts";
import { captureEvidence, type EvidenceFile } from "./capture-evidence.ts";
import { evidenceAnswer, MOST_EVENTS } from "./evidence-answer.ts";
import { evidenceSamples } from "./evidence-samples.ts";

/** The model's origin is 2016-05-06 02:16:55 UTC by the primary's clock. */
const SECOND = 1_000_000;
/** UTC swings against a counter, and drifts by up to 50 ppm. */
const swing = (at: number): number => 20_000 + Math.abs(at) * 50e-6;

const base = modelOf([{ at: 0 }], { secondaries: 2, duration: 60 * SECOND });
const NAMES = ["SQL1", "SQL2", "SQL3"];
const IDS = ["a", "b", "c"].map((letter) => `${letter.repeat(8)}-2222-3333-4444-555555555555`);
const replicas = base.replicas.map((replica, i) => ({
  ...replica,
  id: IDS[i]!,
  ids: [IDS[i]!],
  name: NAMES[i]!,
}));
const fit = (of: Partial<ClockFit>): ClockFit => ({
  ...base.clocks[0]!,
  windows: [{ ...base.clocks[0]!.windows[0]!, from: 0, to: 60 * SECOND, uncertaintyUs: 300 }],
  ...of,
});
/** SQL2 is 5 s ahead of SQL1, SQL3 is 2 s behind SQL2: their blocks bound its clock after a change of roles. */
const model: CaptureModel = {
  ...base,
  replicas,
  clocks: [
    fit({ secondary: 0, against: 0, utcAheadOfPrimaryUs: 5 * SECOND }),
    fit({ secondary: 1, against: 1, utcAheadOfPrimaryUs: -2 * SECOND }),
  ],
  databases: [{ ...base.databases[0]!, id: "d".repeat(8), name: "Orders", localIds: [5, 6, 7] }],
};

const fileOf = async (name: string, text: string, offset: number | null = null): Promise<EvidenceFile> => {
  const bytes = new TextEncoder().encode(text);
  async function* open() {
    yield await Promise.resolve(bytes);
  }
  return {
    facts: await readFacts(recognizeFile(name, bytes, bytes.length), open),
    utcOffsetMinutes: offset,
    server: null,
  };
};
const HEAD = (server: string) => [
  "2016-05-06 02:00:00.00 Server      UTC adjustment: 0:00",
  `2016-05-06 02:00:00.00 Server      Server name is '${server}'.`,
];
const START = "Server      SQL Server is starting at normal priority base (=7).";
const errorlog = (server: string, ...lines: string[]) =>
  fileOf(`${server}/ERRORLOG`, [...HEAD(server), ...lines].join("\n"));
const at = (time: string): string => `2016-05-06 02:${time}`;

describe("clocks of servers", () => {
  test("each server's events are on the primary's clock, with the errors of its alignment", async () => {
    const files = await Promise.all(NAMES.map((name) => errorlog(name, `${at("17:05.00")} ${START}`)));
    const { events, withoutClock } = evidenceAnswer(model, files);
    // All wrote 02:17:05, 10 s after the origin: SQL2 5 s earlier, SQL3 3 s earlier.
    expect(events.map(({ server, at }) => [server, at])).toEqual([
      ["SQL2", 5 * SECOND],
      ["SQL3", 7 * SECOND],
      ["SQL1", 10 * SECOND],
    ]);
    // ±10 ms of an ERRORLOG, the swing, and 0.3 ms for each fit.
    expect(events.map(({ plusMinusUs }) => plusMinusUs)).toEqual(
      [10_300 + swing(5 * SECOND), 10_600 + swing(7 * SECOND), 10_000 + swing(10 * SECOND)].map(Math.ceil),
    );
    expect(events[0]!.sources[0]!.plusMinusUs).toBe(events[0]!.plusMinusUs);
    expect(withoutClock).toEqual([]);
  });

  test("the clock is that of the first primary, also after a change of roles", async () => {
    const phases = [0, 1].map((primary) => ({ ...base.phases[0]!, primary }));
    const { events } = evidenceAnswer({ ...model, phases }, [
      await errorlog("SQL2", `${at("17:05.00")} ${START}`),
    ]);
    expect(events[0]!.at).toBe(5 * SECOND);
  });

  test("a server is found by its id where the capture has no name for it, and by its host", async () => {
    const { originUs, servers } = captureEvidence(
      { ...model, replicas: replicas.map((replica, i) => ({ ...replica, name: `Replica ${i}` })) },
      [
        {
          facts: {
            ...(await errorlog("SQL2")).facts,
            names: [{ replicaId: IDS[1]!.toUpperCase(), server: "SQL2", file: "" }],
          },
          utcOffsetMinutes: null,
          server: null,
        },
      ],
    );
    expect(servers).toEqual(["Replica 0", "SQL2", "Replica 2"]);
    expect(originUs).toBe(Date.parse("2016-05-06T02:16:55Z") * 1000);
    const log = await errorlog(String.raw`sql2.corp.local\PROD`, `${at("17:05.00")} ${START}`);
    expect(evidenceAnswer(model, [log]).events[0]!.at).toBe(5 * SECOND);
  });

  test.each([
    ["isn't in the capture", model, "SQL9"],
    [
      "isn't aligned",
      { ...model, clocks: [fit({ status: "cannotAlign", utcAheadOfPrimaryUs: Number.NaN })] },
      "SQL2",
    ],
    ["has no file, as no server has", withoutCapture(), "SQL1"],
  ])("times of a server that %s are as written", async (_, of, server) => {
    const { events, withoutClock } = evidenceAnswer(of, [
      await errorlog(server, `${at("17:05.00")} ${START}`),
    ]);
    expect(events).toMatchObject([{ at: 10 * SECOND, plusMinusUs: 10_000 }]);
    expect(withoutClock).toEqual([server]);
  });

  test("a UTC clock that was set is followed, on both sides of the time that the fit covers", async () => {
    // SQL2 is 5 s ahead, from 30 s on 25 s: the fit's mean is that of the longer time before.
    const set = [{ from: 29 * SECOND, to: 31 * SECOND, us: 20 * SECOND }];
    const windows = [{ ...base.clocks[0]!.windows[0]!, from: 0, to: 50 * SECOND, uncertaintyUs: 300 }];
    const of = {
      ...model,
      replicas: replicas.map((replica, i) => (i === 1 ? { ...replica, utcChanges: set } : replica)),
      clocks: [fit({ windows, utcAheadOfPrimaryUs: 5 * SECOND })],
    };
    const log = await errorlog("SQL2", `${at("17:10.00")} ${START}`, `${at("18:00.00")} ${START}`);
    // 15 s after the origin less 5 s, and 65 s less 25 s.
    expect(evidenceAnswer(of, [log]).events.map((event) => event.at)).toEqual([10 * SECOND, 40 * SECOND]);
    // The same with the longer time after it.
    const after = { ...of, clocks: [fit({ utcAheadOfPrimaryUs: 25 * SECOND })] };
    const late = [{ ...windows[0]!, from: 20 * SECOND, to: 60 * SECOND }];
    const asked = { ...after, clocks: [{ ...after.clocks[0]!, windows: late }] };
    expect(evidenceAnswer(asked, [log]).events.map((event) => event.at)).toEqual([10 * SECOND, 40 * SECOND]);
  });

  test("moved order decides about a failover, and its sentence has the primary's time", async () => {
    const state = (from: string, to: string) =>
      `spid9s      The state of the local availability replica in availability group 'SALES-AG' has changed from '${from}' to '${to}'.  The state changed because of a user initiated failover.`;
    const files = [
      await errorlog("SQL1", `${at("17:05.00")} ${state("PRIMARY_NORMAL", "RESOLVING_NORMAL")}`),
      await errorlog("SQL2", `${at("17:14.00")} ${state("RESOLVING_NORMAL", "PRIMARY_NORMAL")}`),
    ];
    const { failovers, events } = evidenceAnswer(model, files);
    expect(failovers).toMatchObject([
      {
        kind: "ddlByUser",
        at: 10 * SECOND,
        until: 14 * SECOND,
        fromServer: "SQL1",
        toServer: "SQL2",
        events: [0, 1],
        text: "SALES-AG failed over from SQL1 to SQL2 at 02:17:05 UTC, because a user started it.",
      },
    ]);
    expect(events.map(({ at }) => at)).toEqual([10 * SECOND, 14 * SECOND]);
  });
});

function withoutCapture(): CaptureModel {
  return { ...model, clocks: [], replicas: replicas.map((each) => ({ ...each, hasCapture: false })) };
}

const COUNTERS = (rows: readonly (readonly [time: string, value: number | string])[]): string =>
  [
    String.raw`"(PDH-CSV 4.0) (UTC)(0)","\\SQL2\LogicalDisk(F:)\Avg. Disk sec/Write"`,
    ...rows.map(([time, value]) => `"05/06/2016 02:${time}.000","${value}"`),
  ].join("\n");

describe("samples", () => {
  const wanted = { from: 0, to: 60 * SECOND, bins: 100, metrics: null };
  const rows = ["17:00", "17:01", "17:02", "17:03", "17:04"].map((time, i) => [time, i / 1000] as const);

  test("are those of the range, and one on each side, on the primary's clock", async () => {
    const evidence = captureEvidence(model, [await fileOf("c.csv", COUNTERS(rows))]);
    // SQL2 is 5 s ahead: 02:17:00 is the origin.
    expect(evidenceSamples(evidence, { ...wanted, from: 1.5 * SECOND, to: 2.5 * SECOND })).toEqual({
      series: [{ metric: 0, at: [1, 2, 3].map((s) => s * SECOND), values: [1, 2, 3], samplesPerValue: 1 }],
    });
    expect(evidenceSamples(evidence, { ...wanted, from: 9 * SECOND }).series[0]).toMatchObject({
      at: [4 * SECOND],
    });
  });

  test("are means of the same number of samples where there are more than values", async () => {
    const evidence = captureEvidence(model, [await fileOf("c.csv", COUNTERS(rows))]);
    expect(evidenceSamples(evidence, { ...wanted, bins: 2 }).series).toEqual([
      { metric: 0, at: [2, 4].map((s) => s * SECOND), values: [1, 3.5], samplesPerValue: 3 },
    ]);
  });

  test("of deltas are totals, of which the last one may be of fewer samples", async () => {
    const file = await fileOf("c.csv", COUNTERS(rows));
    const series = file.facts.series.map((one) => ({ ...one, form: "delta" as const }));
    const evidence = captureEvidence(model, [{ ...file, facts: { ...file.facts, series } }]);
    expect(evidenceSamples(evidence, { ...wanted, bins: 2 }).series).toEqual([
      { metric: 0, at: [2, 4].map((s) => s * SECOND), values: [0 + 1 + 2, 3 + 4], samplesPerValue: 3 },
    ]);
  });

  test("have null for a sample without a value, and only the metrics that are asked for", async () => {
    const files = [
      await fileOf("c.csv", COUNTERS([["17:00", " "], ...rows.slice(1)])),
      await fileOf("d.csv", COUNTERS(rows)),
    ];
    const evidence = captureEvidence(model, files);
    expect(evidenceSamples(evidence, wanted).series[0]!.values).toEqual([null, 1, 2, 3, 4]);
    const one = evidenceSamples(evidence, { ...wanted, metrics: [1, 1, 7] }).series;
    expect(one.map(({ metric }) => metric)).toEqual([1]);
  });

  test("any range and any number of values: the mean of all is that of the samples", async () => {
    const evidence = captureEvidence(model, [await fileOf("c.csv", COUNTERS(rows))]);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), (bins) => {
        const answer = EvidenceSamples.parse(evidenceSamples(evidence, { ...wanted, bins }));
        const [{ values, samplesPerValue }] = answer.series as [EvidenceSamples["series"][0]];
        expect(values.length).toBeLessThanOrEqual(bins);
        const last = 5 - samplesPerValue * (values.length - 1);
        const sum = values.reduce<number>(
          (all, value, i) => all + value! * (i === values.length - 1 ? last : samplesPerValue),
          0,
        );
        expect(sum).toBeCloseTo(0 + 1 + 2 + 3 + 4);
      }),
    );
  });
});

describe("an answer", () => {
  test("without files, and with files that aren't used, is empty", async () => {
    const empty = {
      range: null,
      events: [],
      eventsLeftOut: 0,
      failovers: [],
      agreement: [],
      metrics: [],
      withoutClock: [],
    };
    expect(evidenceAnswer(model, [])).toEqual(empty);
    expect(evidenceAnswer(model, [await fileOf("notes.txt", "hello")])).toEqual(empty);
  });

  test("has names in place of ids", () => {
    const event: EvidenceEvent = {
      kind: "synchronization",
      atUs: 1.4625e15,
      fromUs: null,
      server: "SQL1",
      group: "g",
      database: "D".repeat(8),
      replica: IDS[1]!.toUpperCase(),
      message: null,
      states: [null, "SYNCHRONIZED"],
      count: 1,
      text: "A database on SQL1 is SYNCHRONIZED with a replica.",
      sources: [{ file: "h.xel", place: 1, text: null, plusMinusUs: 1 }],
      lsn: 146_028_888_072n,
    };
    const facts = factsOf([event, { ...event, database: "5", replica: null, lsn: null }]);
    const { events } = evidenceAnswer(model, [
      {
        facts: { ...facts, groups: [{ groupId: "G", name: "SALES-AG", file: "" }] },
        utcOffsetMinutes: null,
        server: null,
      },
    ]);
    expect(events).toMatchObject([
      {
        group: "SALES-AG",
        database: "Orders",
        replica: "SQL2",
        text: "Orders on SQL1 is SYNCHRONIZED with SQL2.",
        block: "146028888072",
      },
      { database: "Orders", replica: null, block: null },
    ]);
  });

  test("has names of databases and replicas as they are, also with signs of replacements", () => {
    const event: EvidenceEvent = {
      kind: "synchronization",
      atUs: 1.4625e15,
      fromUs: null,
      server: "SQL1",
      group: null,
      database: model.databases[0]!.id,
      replica: IDS[1]!,
      message: null,
      states: [null, "SYNCHRONIZED"],
      count: 1,
      text: "A database on SQL1 is SYNCHRONIZED with a replica.",
      sources: [{ file: "h.xel", place: 1, text: null, plusMinusUs: 1 }],
      lsn: null,
    };
    const of = {
      ...model,
      replicas: replicas.map((replica, i) => (i === 1 ? { ...replica, name: "S$&2" } : replica)),
      databases: model.databases.map((database) => ({ ...database, name: "Or$'ders" })),
    };
    const { events } = evidenceAnswer(of, [
      { facts: factsOf([event]), utcOffsetMinutes: null, server: null },
    ]);
    expect(events[0]!.text).toBe("Or$'ders on SQL1 is SYNCHRONIZED with S$&2.");
  });

  test("has the range of its events, without a reference of another day", () => {
    const at = Date.parse("2016-05-06T02:17:05Z") * 1000;
    const reference: FileFacts["series"][number] = {
      metric: "disk write latency",
      unit: "ms",
      server: "SQL1",
      of: null,
      form: "reference",
      atUs: Float64Array.of(at - 86_400 * SECOND),
      values: Float64Array.of(2),
      source: { file: "d.xml", column: "" },
      isLocal: false,
    };
    const sample: FileFacts["series"][number] = { ...reference, form: "sample", atUs: Float64Array.of(at) };
    const rangeOf = (...series: FileFacts["series"]) =>
      evidenceAnswer(withoutCapture(), [
        { facts: { ...factsOf([]), series }, utcOffsetMinutes: null, server: null },
      ]).range;
    expect(rangeOf(reference, sample)).toEqual([10 * SECOND, 10 * SECOND]);
    expect(rangeOf(reference)).toEqual([-86_390 * SECOND, -86_390 * SECOND]);
  });

  test("has at most so many events: all of failovers, then the nearest to the capture", () => {
    const origin = Date.parse("2016-05-06T02:16:55Z") * 1000;
    const one = (second: number, more: Partial<EvidenceEvent> = {}): EvidenceEvent => ({
      kind: "restart",
      atUs: origin + second * SECOND,
      fromUs: null,
      server: "SQL1",
      group: null,
      database: null,
      replica: null,
      message: null,
      states: null,
      count: 1,
      text: `SQL Server started ${second}.`,
      sources: [{ file: "h.xel", place: 1, text: null, plusMinusUs: 1 }],
      lsn: null,
      ...more,
    });
    const many = Array.from({ length: MOST_EVENTS + 10 }, (_, i) => one(-10 * i));
    const lost = one(-1e6, {
      kind: "role",
      states: ["PRIMARY_NORMAL", "RESOLVING_NORMAL"],
      text: "lost",
    });
    const answer = evidenceAnswer(model, [
      { facts: factsOf([...many, lost]), utcOffsetMinutes: null, server: null },
    ]);
    expect(answer.events).toHaveLength(MOST_EVENTS);
    expect(answer.eventsLeftOut).toBe(11);
    expect(answer.failovers[0]!.events).toEqual([0]);
    expect(answer.events[0]).toMatchObject({ text: "lost" });
    expect(answer.events.at(-1)!.at).toBe(0);
  });

  test("lists the metrics that have a figure, in the order of the samples", async () => {
    const waits = (second: number, ms: number) =>
      `X,${ms},1,2016-05-06 02:17:0${second}\nQUIET,7,7,2016-05-06 02:17:0${second}\n`;
    const table = await fileOf(
      "SQL1_w.csv",
      `wait_type,wait_time_ms,waiting_tasks_count,runtime_utc\n${waits(0, 100)}${waits(5, 160)}`,
    );
    const { metrics, range } = evidenceAnswer(model, [table]);
    // The deltas of QUIET are 0, and so are those of the waits of X.
    expect(metrics).toEqual([
      {
        metric: "wait time",
        unit: "ms",
        server: null,
        of: "X",
        form: "delta",
        samples: 2,
        file: "SQL1_w.csv",
        column: "wait_time_ms",
      },
    ]);
    expect(range).toEqual([5 * SECOND, 10 * SECOND]);
  });

  test("compares the figures of a phase with the files, which name the servers", async () => {
    const request =
      "SQL Server has encountered 4 occurrence(s) of I/O requests taking longer than 15 seconds to complete on file [F:\\Log\\Orders.ldf] in database [Orders] (5).  The OS file handle is 0x0A.";
    const { agreement } = evidenceAnswer(model, [
      await errorlog("SQL2", `${at("17:25.00")} spid9s      ${request}`),
    ]);
    expect(agreement).toMatchObject([
      {
        rule: "longRequests",
        agrees: false,
        server: "SQL2",
        text: expect.stringContaining("SQL2 reported 4 requests over 15 s on its log."),
        from: 0,
        to: 60 * SECOND,
      },
    ]);
  });

  test("of any facts is one of the contract", () => {
    const text = fc.string({ maxLength: 5 });
    const events = fc.array(
      fc
        .record({
          atUs: fc.integer({ min: 0, max: 4e15 }),
          server: fc.constantFrom(...NAMES, "SQL9", null),
          database: fc.option(text, { nil: null }),
          replica: fc.option(text, { nil: null }),
          kind: fc.constantFrom<EvidenceEvent["kind"]>("role", "synchronization", "slowIo"),
          states: fc.constantFrom<EvidenceEvent["states"]>(
            null,
            [null, "ONLINE"],
            ["PRIMARY_NORMAL", "RESOLVING_NORMAL"],
          ),
        })
        .map((some): EvidenceEvent => ({
          fromUs: null,
          group: null,
          message: null,
          count: 1,
          text: "x",
          sources: [{ file: "h", place: 1, text: null, plusMinusUs: 1 }],
          lsn: null,
          ...some,
        })),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(events, (some) => {
        const answer = evidenceAnswer(model, [
          { facts: factsOf(some), utcOffsetMinutes: null, server: null },
        ]);
        expect(EvidenceAnswer.parse(answer)).toEqual(answer);
        const times = answer.events.map((event) => event.at);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
      }),
    );
  });
});

function factsOf(events: readonly EvidenceEvent[]): FileFacts {
  return {
    file: {
      name: "h.xel",
      kind: "alwaysOnHealth",
      server: null,
      serverFrom: null,
      utcOffsetMinutes: null,
      use: "",
      state: "used",
    },
    events,
    isLocal: false,
    nights: [],
    series: [],
    remarks: [],
    names: [],
    groups: [],
    notUnderstood: null,
    keepsSensitive: false,
    dropped: 0,
  };
}
