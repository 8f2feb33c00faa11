import { decodeModelBeforeEvents, encodeModel } from "@aglens/contract";
import { expect, test } from "vitest";
import { modelOf } from "../../../ag-model/test/model.ts";
import { answer, neededPart, readsEventIndex, type Question } from "./answer.ts";

const secondary = 0;
const page = { secondary, limit: 10, offset: 0 };

const QUESTIONS: { readonly [Ask in Question["ask"]]: Extract<Question, { ask: Ask }> } = {
  scope: { ask: "scope" },
  overview: { ask: "overview", bins: 10, secondary },
  window: { ask: "window", limit: 10, bins: 10 },
  commits: { ask: "commits", limit: 10 },
  markers: { ask: "markers" },
  statistics: { ask: "statistics" },
  slowest: { ask: "slowest", sort: "remoteHarden", descending: true, ...page },
  hits: { ask: "hits", where: [{ kind: "database", database: 0 }] },
  hitCounts: { ask: "hitCounts", where: [[{ kind: "database", database: 0 }]] },
  find: { ask: "find", at: 5_000 },
  sequence: { ask: "sequence", row: 1 },
  slowCommits: { ask: "slowCommits", order: "waited", ...page },
  releases: { ask: "releases", bins: 10 },
  replicaRows: { ask: "replicaRows", bins: 10, columns: 10 },
  rawEvents: { ask: "rawEvents", replicas: null, first: { position: 0 }, names: null, text: "", read: 10 },
  eventDensity: { ask: "eventDensity", replicas: null, bins: 10 },
  waiting: { ask: "waiting" },
  whoWaited: { ask: "whoWaited", by: "session" },
  distribution: { ask: "distribution", secondary, scale: "log", stage: "localFlush" },
  spread: { ask: "spread", secondary },
  table: { ask: "table", table: "blocks", format: "csv" },
  whatIf: { ask: "whatIf", list: true },
  evidence: { ask: "evidence", files: [] },
  evidenceTable: { ask: "evidenceTable", table: "evidence_events", format: "csv", files: [] },
  trace: { ask: "trace", files: [] },
  evidenceSamples: { ask: "evidenceSamples", bins: 10, metrics: null, files: [] },
};

const model = modelOf(
  Array.from({ length: 20 }, (_, block) => ({ at: 1_000 * block })),
  { duration: 20_000 },
);
const answered = (of: typeof model, question: Question) => answer(of, question, () => Promise.resolve(null));

test.each(
  Object.values(QUESTIONS)
    .flatMap((question) => [question, { ...question, database: 0 } as Question])
    .filter((question) => !readsEventIndex(question)),
)("$ask is answered before the index of events is read, as it is afterwards", async (question) => {
  const { model: before } = decodeModelBeforeEvents(encodeModel(model));
  expect(await answered(before, question)).toEqual(await answered(model, question));
});

test("evidence is not: its figures are of phases", () => {
  expect(readsEventIndex(QUESTIONS.evidence)).toBe(true);
});

test.each(["sequence", "rawEvents", "eventDensity"] as const)("%s is not", async (ask) => {
  const { model: before } = decodeModelBeforeEvents(encodeModel(model));
  expect(readsEventIndex(QUESTIONS[ask])).toBe(true);
  await expect(answered(before, QUESTIONS[ask])).rejects.toThrow("before it was read");
});

test("nor is any question about one phase, whose events are picked with its rows", () => {
  expect(readsEventIndex({ ...QUESTIONS.statistics, phase: 0 })).toBe(true);
});

test("a question waits for the one part that it needs, and of a short capture only for events and the list of predictions", () => {
  // Only the begins of the million blocks are read.
  const blocks = { ...model.blocks, length: 1e6, time: Float64Array.from({ length: 1e6 }, (_, row) => row) };
  const long = { ...model, blocks, duration: 1e6 };
  const waiting = Object.values(QUESTIONS).map((question) => [question.ask, neededPart(long, question)]);
  expect(Object.fromEntries(waiting.filter(([, part]) => part !== null))).toEqual({
    scope: "events",
    window: "bins",
    statistics: "ranks",
    hits: "ranks",
    hitCounts: "ranks",
    sequence: "events",
    replicaRows: "ranks",
    rawEvents: "events",
    eventDensity: "events",
    evidence: "events",
    distribution: "ranks",
    table: "events",
    whatIf: "predictions",
  });
  expect(neededPart(long, { ask: "whatIf", change: "async:Secondary", list: false })).toBeNull();
  expect(neededPart(long, { ask: "whatIf", change: undefined, list: false })).toBe("predictions");
  expect(neededPart(long, { ...QUESTIONS.statistics, to: 1_000 })).toBeNull();
  expect(neededPart(model, QUESTIONS.statistics)).toBeNull();
});
