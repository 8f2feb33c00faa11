import { CaptureFile, type EvidenceAnswer, type EvidenceSamples } from "@aglens/contract";
import { encodeFacts, noFacts, readFacts, recognizeFile } from "@aglens/evidence";
import { expect, test } from "vitest";
import { modelOf } from "../../../ag-model/test/model.ts";
import { readPerfetto } from "../../../contract/test/perfetto-reader.ts";
import { answer, type Question } from "./answer.ts";
import { asLinkAsks, withEvidenceOf } from "./evidence-answers.ts";
import type { OpenSource } from "./source-file.ts";

/** The origin is 2016-05-06 02:16:55 UTC. */
const model = modelOf([{ at: 0 }], { duration: 60_000_000 });
const LOG = [
  "2016-05-06 04:00:00.00 Server      Server name is 'SQL1'.",
  "2016-05-06 04:17:05.00 Server      SQL Server is starting at normal priority base (=7).",
].join("\n");
const COUNTERS = [
  String.raw`"(PDH-CSV 4.0) (UTC)(0)","\\SQL1\LogicalDisk(F:)\Avg. Disk sec/Write"`,
  ...[5, 6, 7].map((second) => `"05/06/2016 02:17:0${second}.000","0.00${second}"`),
].join("\n");

async function factsOf(name: string, text: string, keepSensitive = false): Promise<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  async function* open() {
    yield await Promise.resolve(bytes);
  }
  return encodeFacts(await readFacts(recognizeFile(name, bytes, bytes.length), open, { keepSensitive }));
}

/** Opens blobs by id, and counts how often. */
function blobs(all: Readonly<Record<string, Uint8Array>>): { open: OpenSource; opened: string[] } {
  const opened: string[] = [];
  const open: OpenSource = (name) => {
    opened.push(name);
    const bytes = all[name];
    if (bytes === undefined) return Promise.resolve(null);
    return Promise.resolve({
      size: bytes.length,
      read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
      close: () => Promise.resolve(),
    });
  };
  return { open, opened };
}

async function answered<Value>(question: Question, open: OpenSource, of = model): Promise<Value> {
  const { bytes } = await answer(of, question, open);
  return JSON.parse(new TextDecoder().decode(bytes)) as Value;
}

const EVIDENCE_FILE: CaptureFile["evidenceFile"] = {
  kind: "errorlog",
  server: null,
  serverFrom: null,
  utcOffsetMinutes: null,
  state: "used",
  use: "",
  events: 0,
  samples: 0,
  notUnderstood: { count: 0, first: [] },
};
const fileOf = (id: string, kind: CaptureFile["kind"], more: object): CaptureFile =>
  CaptureFile.parse({
    id,
    kind,
    name: id,
    size: 1,
    message: null,
    gaps: [],
    events: 0,
    from: null,
    to: null,
    detectedRole: "unknown",
    evidence: "",
    replicaId: null,
    role: "primary",
    replica: "",
    ...more,
  });
const evidence = (id: string, name: string, more = {}): CaptureFile =>
  fileOf(id, "evidence", { name, evidenceFile: EVIDENCE_FILE, ...more });
const FILES = [
  evidence("1", "ERRORLOG", { given: { utcOffsetMinutes: 120 } }),
  evidence("2", "counters.csv"),
];
const ASKED: Question = { ask: "evidence", files: [] };
const SAMPLES: Question = { ask: "evidenceSamples", bins: 10, metrics: null, files: [] };

test("evidence is answered from the facts of the capture's files, with chosen offsets", async () => {
  const { open } = blobs({ 1: await factsOf("ERRORLOG", LOG), 2: await factsOf("c.csv", COUNTERS) });
  const found = await answered<EvidenceAnswer>(withEvidenceOf(ASKED, FILES), open);
  expect(found.events).toMatchObject([{ kind: "restart", server: "SQL1", at: 10_000_000 }]);
  expect(found.metrics).toMatchObject([{ metric: "disk write latency", of: "F:", samples: 3 }]);
  expect(found.notShown).toBeUndefined();
  const { series } = await answered<EvidenceSamples>(withEvidenceOf(SAMPLES, FILES), open);
  expect(series).toEqual([
    { metric: 0, at: [10, 11, 12].map((s) => s * 1e6), values: [5, 6, 7], samplesPerValue: 1 },
  ]);
});

test("an ERRORLOG that names no server has that of the list of files, and its events too", async () => {
  const log = LOG.replace("Server name is 'SQL1'.", "x");
  const { open } = blobs({ 1: await factsOf("ERRORLOG", LOG), 2: await factsOf("ERRORLOG", log) });
  const of = (id: string, server: string) =>
    evidence(id, "ERRORLOG", {
      given: { utcOffsetMinutes: 120 },
      evidenceFile: { ...EVIDENCE_FILE, server, serverFrom: "name" },
    });
  const files = [of("1", "SQL1"), of("2", "SQL2")];
  const { events } = await answered<EvidenceAnswer>(withEvidenceOf(ASKED, files), open, { ...model });
  expect(events.map(({ kind, server }) => `${kind} ${server}`).toSorted()).toEqual([
    "restart SQL1",
    "restart SQL2",
  ]);
});

test("files that are ignored, missing or of events aren't read", () => {
  const files = [
    evidence("1", "a", { role: "ignored" }),
    evidence("2", "b", { isMissing: true }),
    fileOf("3", "xel", {}),
    evidence("4", "d"),
  ];
  expect(withEvidenceOf(ASKED, files)).toMatchObject({
    files: [{ id: "4", utcOffsetMinutes: null, server: null }],
  });
  const other: Question = { ask: "markers" };
  expect(withEvidenceOf(other, files)).toBe(other);
});

test("facts are read once for each set of files", async () => {
  const own = { ...model };
  const { open, opened } = blobs({ 1: await factsOf("ERRORLOG", LOG), 2: await factsOf("c.csv", COUNTERS) });
  await answered(withEvidenceOf(ASKED, FILES), open, own);
  await answered(withEvidenceOf(SAMPLES, FILES), open, own);
  expect(opened).toEqual(["1", "2"]);
  const { events } = await answered<EvidenceAnswer>(withEvidenceOf(ASKED, FILES.slice(1)), open, own);
  expect(events).toEqual([]);
});

test("files whose facts can't be read are named, and the others are shown", async () => {
  const facts = await factsOf("c.csv", COUNTERS);
  const files = [...FILES, evidence("3", "third")];
  const { open } = blobs({ 1: new Uint8Array([1, 2]), 2: facts });
  const found = await answered<EvidenceAnswer>(withEvidenceOf(ASKED, files), open);
  expect(found).toMatchObject({
    metrics: [{}],
    notShown: "Can't read ERRORLOG and 1 other file. Remove the files and add them again.",
  });
});

test("files beyond the memory for them are named, and those before and after them are shown", async () => {
  const facts = { 1: await factsOf("ERRORLOG", LOG), 2: await factsOf("c.csv", COUNTERS) };
  const { open } = blobs(facts);
  const huge = {
    size: 256 * 1024 * 1024 + 1,
    read: () => expect.unreachable(),
    close: () => Promise.resolve(),
  };
  const files = [FILES[0]!, evidence("3", "huge.csv"), FILES[1]!];
  const found = await answered<EvidenceAnswer>(
    withEvidenceOf(ASKED, files),
    (name) => (name === "3" ? Promise.resolve(huge) : open(name)),
    { ...model },
  );
  expect(found).toMatchObject({
    events: [{ kind: "restart" }],
    metrics: [{}],
    notShown: "Can't show huge.csv. AG Lens reads 256 MB of such files. Remove files that you don't need.",
  });
});

test("a table of a range has the durations that overlap it", async () => {
  const io = (time: string) =>
    `2016-05-06 04:17:${time}.00 spid9s      SQL Server has encountered 1 occurrence(s) of I/O requests taking longer than 15 seconds to complete on file [F:\\a.ldf] in database id 5.`;
  const { open } = blobs({ 1: await factsOf("ERRORLOG", [LOG, io("30")].join("\n")) });
  const of = async (from: number, to: number) => {
    const asked: Question = {
      ask: "evidenceTable",
      table: "evidence_events",
      format: "csv",
      from: from * 1e6,
      to: to * 1e6,
      files: [],
    };
    const { bytes } = await answer({ ...model }, withEvidenceOf(asked, FILES.slice(0, 1)), open);
    return new TextDecoder()
      .decode(bytes)
      .split("\r\n")
      .slice(1, -1)
      .map((line) => /slow_io|restart/u.exec(line)?.[0]);
  };
  // SQL1 started at 10 s, and the request waited from 20 s to 35 s.
  expect(await of(0, 60)).toEqual(["restart", "slow_io"]);
  expect(await of(25, 30)).toEqual(["slow_io"]);
  expect(await of(0, 20)).toEqual(["restart"]);
  expect(await of(36, 60)).toEqual([]);
});

test("a table of too many samples is refused", async () => {
  const length = 500_001;
  const facts = {
    ...noFacts(recognizeFile("c.csv", new TextEncoder().encode(COUNTERS), COUNTERS.length)),
    series: [
      {
        metric: "disk write latency",
        unit: "ms" as const,
        server: "SQL1",
        of: "F:",
        form: "sample" as const,
        atUs: new Float64Array(length),
        values: new Float64Array(length),
        source: { file: "c.csv", column: "c" },
        isLocal: false,
      },
    ],
  };
  const { open } = blobs({ 2: encodeFacts(facts) });
  const asked: Question = { ask: "evidenceTable", table: "evidence_samples", format: "csv", files: [] };
  await expect(answer({ ...model }, withEvidenceOf(asked, FILES.slice(1)), open)).rejects.toMatchObject({
    problem: { code: "table-too-large", detail: expect.stringContaining("evidence_samples has 500001 rows") },
  });
});

test("a link has no sensitive texts of a file that was kept with them", async () => {
  const failed = [
    LOG,
    "2016-05-06 04:17:06.00 spid9s      Error: 823, Severity: 24, State: 2.",
    "2016-05-06 04:17:06.00 spid9s      The operating system returned an error to jdoe.",
  ].join("\n");
  const textsFor = async (keepSensitive: boolean, asks: (question: Question) => Question) => {
    const { open } = blobs({ 1: await factsOf("ERRORLOG", failed, keepSensitive) });
    const asked = asks(withEvidenceOf(ASKED, FILES.slice(0, 1)));
    const { events } = await answered<EvidenceAnswer>(asked, open, { ...model });
    return events.map(({ sources }) => sources[0]!.text);
  };
  const started = "SQL Server is starting at normal priority base (=7).";
  expect(await textsFor(true, asLinkAsks)).toEqual([started, null]);
  expect(await textsFor(true, (question) => question)).toEqual([
    started,
    "The operating system returned an error to jdoe.",
  ]);
  expect(await textsFor(false, asLinkAsks)).toEqual([started, null]);
});

test("a trace has the log send queue of the performance counters as a counter of its replica", async () => {
  const queue = String.raw`"(PDH-CSV 4.0) (UTC)(0)","\\SQL1\SQLServer:Database Replica(Sales)\Log Send Queue"`;
  const text = [queue, `"05/06/2016 02:17:05.000","4"`, `"05/06/2016 02:17:06.000","8"`].join("\n");
  const { open } = blobs({ c: await factsOf("counters.csv", text) });
  const question: Question = { ask: "trace", files: [] };
  const wanted = withEvidenceOf(question, [evidence("c", "counters.csv")]);
  const { tracks, counters } = readPerfetto((await answer(model, wanted, open)).bytes);
  const track = tracks.find(({ name }) => name === "Log send queue Sales");
  expect(track?.unit).toBe("bytes");
  // KB, 10 and 11 s after the origin.
  const values = counters
    .filter((each) => each.track === track?.uuid)
    .map(({ at, value }) => [at / 1e9, value]);
  expect(values).toEqual([[10, 4_096], [11, 8_192]]); // prettier-ignore
});
