import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chunksOf, usOf, waitRowset } from "../../test/sample-files.ts";
import { recognizeFile } from "../recognition/recognize.ts";
import {
  EVIDENCE_KINDS,
  SERIES_FORMS,
  SERIES_UNITS,
  type EvidenceEvent,
  type FileKind,
  type RecognizedFile,
} from "../shapes.ts";
import { coarseSeries } from "./coarse-series.ts";
import { decodeFacts, encodeFacts, FactsFormatError } from "./encode-facts.ts";
import { noFacts, type FileFacts } from "./file-facts.ts";
import { mergeFacts } from "./merge-facts.ts";
import { readFacts } from "./read-facts.ts";
import { withoutSensitive } from "./without-sensitive.ts";

const fileOf = (kind: FileKind, more: Partial<RecognizedFile> = {}): RecognizedFile => ({
  name: `${kind}.txt`,
  kind,
  server: "SQL1",
  serverFrom: "name",
  utcOffsetMinutes: null,
  use: "Used.",
  state: "used",
  ...more,
});
const read = (file: RecognizedFile, text: string, keepSensitive = false): Promise<FileFacts> =>
  readFacts(file, () => chunksOf(text), { keepSensitive });

const snapshot = (second: number, ms: number): string =>
  waitRowset(`2026-05-14T04:16:${second}.000`, [["WRITELOG", ms, ms]]);
const WAITS = snapshot(10, 100) + snapshot(20, 160);
const RESTARTED = `${WAITS}${snapshot(30, 5)}`;
const rowsets = (text = WAITS, more: Partial<RecognizedFile> = {}) => read(fileOf("rowsets", more), text);
const errorlog = (...lines: string[]) => read(fileOf("errorlog", { name: "ERRORLOG" }), lines.join("\r\n"));
const HEAD = "2026-05-14 04:00:00.00 Server      UTC adjustment: 2:00";
const MEMORY = "spid9s      There is insufficient system memory in resource pool 'default'.";
const LOGIN =
  "2026-05-14 04:16:12.00 spid9s      The state of the local availability replica in availability group 'SALES-AG' has changed from 'PRIMARY_NORMAL' to 'RESOLVING_NORMAL'.  The state changed because of a user initiated failover.";

describe("samples in local time", () => {
  test("have the offset of the server's ERRORLOG, also if its name has another case", async () => {
    const facts = [await rowsets(RESTARTED, { server: "sql1" }), await errorlog(HEAD)];
    const { files, series } = mergeFacts(facts);
    expect(series[0]!.atUs[0]).toBe(usOf("2026-05-14T02:16:10Z"));
    expect(files[0]).toMatchObject({
      state: "used",
      utcOffsetMinutes: null,
      use: "Used. Counters of wait statistics started again between 2026-05-14 02:16:20 and 2026-05-14 02:16:30 UTC. This interval has no figures.",
    });
  });

  test("have a chosen offset before it", async () => {
    const { files, series } = mergeFacts([await rowsets(), await errorlog(HEAD)], [-60]);
    expect(series[0]!.atUs[0]).toBe(usOf("2026-05-14T05:16:10Z"));
    expect(files[0]).toMatchObject({ utcOffsetMinutes: -60 });
  });

  test("aren't used without any offset", async () => {
    const { files, series } = mergeFacts([await rowsets(RESTARTED)]);
    expect(series).toEqual([]);
    expect(files[0]).toMatchObject({
      state: "notUsed",
      use: "The file has no UTC offset. Choose its time zone.",
    });
  });
});

test("a file has the server that its content names, before the name of the file", async () => {
  const { files, series } = mergeFacts([
    await rowsets(`SQL Server Name          SQL7\n${WAITS}`, { utcOffsetMinutes: 0 }),
  ]);
  expect(files[0]).toMatchObject({ server: "SQL7", serverFrom: "content" });
  expect(series[0]!.server).toBe("SQL7");
});

test("a file without samples is not used, with the reason", async () => {
  const { files } = mergeFacts([await rowsets("-- requests --\n\n")]);
  expect(files[0]).toMatchObject({
    state: "notUsed",
    use: "The file has no samples that AG Lens uses.",
    server: "SQL1",
  });
});

test("a file that names no server has that of the others in its folder", async () => {
  const log = await read(
    fileOf("errorlog", { name: "a/ERRORLOG", server: null, serverFrom: null }),
    `${HEAD}\r\n${LOGIN}`,
  );
  const other = noFacts(fileOf("clusterLog", { name: "a/cluster.log", state: "notUsed" }));
  expect(mergeFacts([log, other]).events).toMatchObject([{ server: "SQL1" }]);
  expect(mergeFacts([log]).events).toMatchObject([{ server: null }]);
});

test("ERRORLOG.1 takes the winter time of its own server's ERRORLOG, in any case, and no winter time without a server", async () => {
  // The night of 25 October is between the entries; ERRORLOG begins an hour behind.
  const old = (server: string | null) =>
    read(
      fileOf("errorlog", { name: "a/ERRORLOG.1", server }),
      [
        "2026-10-24 12:00:00.00 Server      UTC adjustment: 2:00",
        "2026-10-24 12:00:00.00 spid9s      x",
        `2026-10-26 12:00:00.00 ${MEMORY}`,
      ].join("\r\n"),
    );
  const next = (server: string | null, name: string) =>
    read(fileOf("errorlog", { name, server }), "2026-10-27 00:00:00.00 Server      UTC adjustment: 1:00");
  const atOf = async (server: string | null, nextServer: string | null, name = "a/ERRORLOG") =>
    mergeFacts([await old(server), await next(nextServer, name)]).events[0]!.atUs;
  expect(await atOf("SQL1", "sql1")).toBe(usOf("2026-10-26T11:00:00Z"));
  expect(await atOf("SQL1", "SQL2", "b/ERRORLOG")).toBe(usOf("2026-10-26T10:00:00Z"));
  expect(await atOf(null, null, "b/ERRORLOG")).toBe(usOf("2026-10-26T10:00:00Z"));
});

test("a damaged ERRORLOG or counter file has no offset that no zone has", async () => {
  const log = await errorlog(HEAD.replace("2:00", "20:00"), LOGIN);
  expect(log).toMatchObject({ isLocal: true, file: { utcOffsetMinutes: null } });
  const csv = new TextEncoder().encode(String.raw`"(PDH-CSV 4.0) (x)(900)","\\S\Memory\Available MBytes"`);
  expect(recognizeFile("c.csv", csv, csv.length)).toMatchObject({ kind: "counters", utcOffsetMinutes: null });
});

test("a file without a use isn't opened", async () => {
  const open = (): never => expect.unreachable();
  const file = fileOf("clusterLog", { state: "notUsed" });
  expect(await readFacts(file, open)).toEqual(noFacts(file));
});

test("more samples than a file's bound become means, with a sentence", async () => {
  // 12,000 rows of 100 counters are 1,200,000 samples: two become one.
  const start = Date.UTC(2026, 4, 14);
  const volumes = Array.from({ length: 100 }, (_, i) => i);
  const head = volumes.map((i) => `"\\\\S\\LogicalDisk(${i})\\Current Disk Queue Length"`).join(",");
  const row = (i: number): string => {
    const clock = new Date(start + i * 1000).toISOString().slice(11, 23);
    return `"05/14/2026 ${clock}",${volumes.map((volume) => (volume === 0 ? i : 1)).join(",")}`;
  };
  const lines = [`"(PDH-CSV 4.0) (UTC)(0)",${head}`, ...Array.from({ length: 12_000 }, (_, i) => row(i))];
  const facts = await read(fileOf("counters", { utcOffsetMinutes: 0 }), lines.join("\n"));
  const [first, second] = facts.series;
  expect(first!.values).toHaveLength(6_000);
  expect([first!.values[0], first!.values[1], second!.values[1]]).toEqual([0.5, 2.5, 1]);
  expect(first!.atUs[0]).toBe((start + 1000) * 1000);
  expect(mergeFacts([facts]).files[0]!.use).toBe(
    "Used. The file has more samples than AG Lens keeps. Values combine 2 samples each.",
  );
});

test("a group of deltas with an unknown one is unknown, and the sum of the others", () => {
  const atUs = Float64Array.of(10, 20, 30, 40, 50);
  const series = {
    metric: "waits",
    unit: "count",
    server: null,
    of: null,
    source: { file: "", column: "" },
    atUs,
  } as const;
  const values = Float64Array.of(Number.NaN, 1, 2, 3, 4);
  const deltas = coarseSeries({ ...series, form: "delta", values }, 2, "total");
  expect([...deltas.values]).toEqual([Number.NaN, 5, 4]);
  expect([...deltas.atUs]).toEqual([20, 40, 50]);
  expect([...coarseSeries({ ...series, form: "sample", values }, 2, "mean").values]).toEqual([1, 2.5, 4]);
});

const NIGHT = (offsetMinutes: number): string =>
  JSON.stringify({ line: 1, untilLine: null, offsetMinutes, isAmerican: false });

describe("facts as JSON", () => {
  test("have no text that names a login, unless it is kept", async () => {
    const lines = `x Login failed for user 'ada'\r\n${HEAD}`;
    const kept = await read(fileOf("errorlog"), lines, true);
    expect(new TextDecoder().decode(encodeFacts(kept))).toContain("ada");
    expect(new TextDecoder().decode(encodeFacts(await read(fileOf("errorlog"), lines)))).not.toContain("ada");
  });

  test("of real files come back as they were, and merge to the same", async () => {
    const facts = [await rowsets(RESTARTED), await errorlog(HEAD, LOGIN), await errorlog(LOGIN)];
    const again = facts.map((one) => decodeFacts(encodeFacts(one)));
    expect(again).toEqual(facts);
    expect(mergeFacts(again)).toEqual(mergeFacts(facts));
  });

  const time = fc.integer({ min: -1e15, max: 4e15 });
  const text = fc.string({ maxLength: 8 });
  const orNull = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null });
  const event: fc.Arbitrary<EvidenceEvent> = fc.record({
    kind: fc.constantFrom(...EVIDENCE_KINDS),
    atUs: time,
    fromUs: orNull(time),
    server: orNull(text),
    group: orNull(text),
    database: orNull(text),
    replica: orNull(text),
    message: orNull(fc.nat()),
    states: orNull(fc.tuple(orNull(text), text)),
    count: fc.nat(),
    text,
    sources: fc.array(fc.record({ file: text, place: fc.nat(), text: orNull(text), plusMinusUs: fc.nat() }), {
      minLength: 1,
      maxLength: 3,
    }),
    lsn: orNull(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
  });
  const points = fc.array(
    fc.tuple(
      fc.oneof(time, fc.constant(Number.NaN)),
      fc.oneof(
        fc.double({ noDefaultInfinity: true }).map((value) => value + 0),
        fc.constant(Number.NaN),
      ),
    ),
    { maxLength: 10 },
  );
  const series: fc.Arbitrary<FileFacts["series"][number]> = fc
    .record({
      metric: text,
      unit: fc.constantFrom(...SERIES_UNITS),
      server: orNull(text),
      of: orNull(text),
      form: fc.constantFrom(...SERIES_FORMS),
      points,
      source: fc.record({ file: text, column: text }),
      isLocal: fc.boolean(),
    })
    .map(({ points: all, ...one }) => ({
      ...one,
      atUs: Float64Array.from(all, ([at]) => at),
      values: Float64Array.from(all, ([, value]) => value),
    }));
  const facts: fc.Arbitrary<FileFacts> = fc.record({
    file: fc.constantFrom(fileOf("errorlog"), fileOf("counters", { utcOffsetMinutes: 330 })),
    events: fc.array(event, { maxLength: 5 }),
    isLocal: fc.boolean(),
    nights: fc.array(
      fc.record({
        line: fc.nat(),
        untilLine: orNull(fc.nat()),
        offsetMinutes: fc.integer({ min: -800, max: 800 }),
        isAmerican: fc.boolean(),
      }),
      { maxLength: 3 },
    ),
    series: fc.array(series, { maxLength: 4 }),
    remarks: fc.array(fc.record({ text, timesUs: fc.array(time), isLocal: fc.boolean() }), { maxLength: 2 }),
    names: fc.array(fc.record({ replicaId: text, server: text, file: text }), { maxLength: 2 }),
    groups: fc.array(fc.record({ groupId: text, name: text, file: text }), { maxLength: 2 }),
    notUnderstood: orNull(fc.record({ file: text, count: fc.nat(), first: fc.array(text) })),
    keepsSensitive: fc.boolean(),
    dropped: fc.nat(),
  });

  test("come back as they were", () => {
    fc.assert(
      fc.property(facts, (one) => {
        expect(decodeFacts(encodeFacts(one))).toEqual(one);
      }),
    );
  });

  test("changed anywhere are facts or an error of the format, and facts merge", () => {
    const value = fc.oneof(fc.constant(null), fc.constant(-1), text, fc.constant([]), fc.constant({}), time);
    fc.assert(
      fc.property(facts, fc.nat(), value, (one, at, other) => {
        const json: unknown = JSON.parse(new TextDecoder().decode(encodeFacts(one)));
        let n = 0;
        const places = JSON.stringify(json, (_, inner: unknown) => (n++, inner)) === "" ? 0 : n;
        let k = 0;
        const changed = JSON.stringify(json, (_, inner: unknown) => (k++ === at % places ? other : inner));
        let decoded: FileFacts;
        try {
          decoded = decodeFacts(new TextEncoder().encode(changed));
        } catch (error) {
          expect(error).toBeInstanceOf(FactsFormatError);
          return;
        }
        mergeFacts([decoded]);
      }),
    );
  });

  test.each([
    ["cut", (json: string) => json.slice(0, -1)],
    ["of a newer version", (json: string) => json.replace('"version":1', '"version":2')],
    ["of another format", (json: string) => json.replace("aglens-facts", "other")],
    ["with a time beyond all dates", (json: string) => json.replace(/"atUs":\d+/u, '"atUs":1e300')],
    [
      "with an offset that no zone has",
      (json: string) => json.replace('"utcOffsetMinutes":120', '"utcOffsetMinutes":841'),
    ],
    [
      "with a night of such an offset",
      (json: string) => json.replace('"nights":[]', `"nights":[${NIGHT(-841)}]`),
    ],
    [
      "with nights of more than a century",
      (json: string) =>
        json.replace('"nights":[]', `"nights":[${Array.from({ length: 101 }, () => NIGHT(60)).join(",")}]`),
    ],
    ["with a sample beyond all dates", (json: string) => json.replace('"times":[]', '"times":[[1e300]]')],
    [
      "with a remark beyond all dates",
      (json: string) =>
        json.replace('"remarks":[]', '"remarks":[{"text":"","timesUs":[1e300],"isLocal":false}]'),
    ],
    ["with a number that JSON doesn't have", (json: string) => json.replace(/"count":\d+/u, '"count":1e999')],
  ])("%s are refused", async (_, change) => {
    const json = new TextDecoder().decode(encodeFacts(await errorlog(HEAD, LOGIN)));
    expect(() => decodeFacts(new TextEncoder().encode(json))).not.toThrow();
    expect(change(json)).not.toBe(json);
    expect(() => decodeFacts(new TextEncoder().encode(change(json)))).toThrow(FactsFormatError);
  });
});

describe("facts without sensitive texts", () => {
  const UNKNOWN = "2026-05-14 04:16:13.00 spid9s      Error: 9999, Severity: 20, State: 1.";
  const lines = [
    HEAD,
    LOGIN,
    "who: secret-host",
    UNKNOWN,
    "2026-05-14 04:16:13.00 spid9s      Statement of secret-host failed.",
  ];
  const text = (facts: FileFacts): string => new TextDecoder().decode(encodeFacts(facts));

  test("have no line after the first one of an entry, and of others the number of the error", async () => {
    const facts = await errorlog(...lines);
    expect(text(facts)).toContain("secret-host");
    const found = withoutSensitive(facts);
    expect(text(found)).not.toContain("secret-host");
    expect(found.notUnderstood?.first).toEqual(["Error 9999"]);
    // The second line of the first entry, and the text of the other one.
    expect(found.dropped).toBe(2);
    expect(withoutSensitive(found)).toEqual(found);
  });

  test("have none that was kept on request", async () => {
    const kept = await read(fileOf("errorlog", { name: "ERRORLOG" }), lines.join("\r\n"), true);
    expect(kept).toMatchObject({ keepsSensitive: true, dropped: 0 });
    expect(text(withoutSensitive(kept))).not.toMatch(/secret-host/u);
    expect(text(withoutSensitive(kept))).toContain("user initiated");
  });

  test("show the cause of a failover that a file with kept texts shows", async () => {
    const own = [
      await read(
        fileOf("errorlog", { name: "ERRORLOG" }),
        `${HEAD}\r\n${LOGIN}\r\nwho: secret-host\r\n2026-05-14 04:16:13.00 spid9s      Error: 823, Severity: 24, State: 2.\r\n2026-05-14 04:16:13.00 spid9s      The operating system returned an error to secret-host.`,
        true,
      ),
      await read(fileOf("errorlog", { name: "b/ERRORLOG", server: "SQL2" }), HEAD, true),
    ];
    const shown = own.map(withoutSensitive);
    expect(shown.map(text).join("")).not.toContain("secret-host");
    expect(shown[0]!.events.map(({ sources }) => sources[0]!.text === null)).toEqual([false, true]);
    expect(mergeFacts(own).cause).toMatchObject({ kind: "ddlByUser", isProven: true });
    expect(mergeFacts(shown).cause).toMatchObject({ kind: "ddlByUser", isProven: true });
  });

  test("name rowsets and columns that no rule understood", async () => {
    const facts = await rowsets(`${WAITS}-- requests of 'jdoe' --\n\n-- sys.requests --\n\n`);
    expect(withoutSensitive(facts).notUnderstood?.first).toEqual(["(text dropped)", "Rowset requests"]);
  });
});
