/** A part that a capture does not have is refused by name, and the last existing one is answered. */
import { modelOf } from "@aglens/ag-model/model-for-tests";
import type { BlockFilter } from "@aglens/contract";
import { expect, test } from "vitest";
import { answer, type Question } from "./answer.ts";

const model = modelOf([{ at: 0 }, { at: 1_000 }], { secondaries: 2, duration: 2_000 });
const without = modelOf([{ at: 0 }], { secondaries: 0, duration: 2_000 });

const answered = (question: Question, of = model) => answer(of, question, () => Promise.resolve(null));
const hits = (condition: BlockFilter[number], of = model) =>
  answered({ ask: "hits", where: [condition] }, of);
const over = { sign: ">", amount: 5 } as const;
const raw = { ask: "rawEvents", replicas: null, names: null, text: "", read: 5 } as const;
const density = { ask: "eventDensity", replicas: null, bins: 5 } as const;
const rawAt = (
  first: { readonly block: number } | { readonly file: number; readonly offset: number },
): Question => ({
  ...raw,
  first,
});

const NO_SECONDARY = "The capture has 2 secondaries; there is no number 2.";
const NO_DATABASE = "The capture has 1 databases; there is no number 1.";

test.each<readonly [what: string, taken: () => unknown, refused: () => unknown, sentence: string]>([
  [
    "a filter's secondary",
    () => hits({ kind: "duration", stage: "send", secondary: 1, comparison: over }),
    () => hits({ kind: "duration", stage: "send", secondary: 2, comparison: over }),
    NO_SECONDARY,
  ],
  [
    "a gate",
    () => hits({ kind: "gate", secondary: 1 }),
    () => hits({ kind: "gate", secondary: 2 }),
    NO_SECONDARY,
  ],
  [
    "a class of log writes, in which the primary is before the first secondary",
    () => hits({ kind: "class", writeClass: "bad", replica: 2 }),
    () => hits({ kind: "class", writeClass: "bad", replica: 3 }),
    NO_SECONDARY,
  ],
  [
    "a filter's database",
    () => hits({ kind: "database", database: 0 }),
    () => hits({ kind: "database", database: 1 }),
    NO_DATABASE,
  ],
  [
    "a second condition",
    () =>
      answered({
        ask: "hits",
        where: [
          { kind: "gate", secondary: 0 },
          { kind: "gate", secondary: 1 },
        ],
      }),
    () =>
      answered({
        ask: "hits",
        where: [
          { kind: "gate", secondary: 0 },
          { kind: "gate", secondary: 2 },
        ],
      }),
    NO_SECONDARY,
  ],
  [
    "a second filter that is counted",
    () =>
      answered({
        ask: "hitCounts",
        where: [[{ kind: "gate", secondary: 0 }], [{ kind: "gate", secondary: 1 }]],
      }),
    () =>
      answered({
        ask: "hitCounts",
        where: [[{ kind: "gate", secondary: 0 }], [{ kind: "gate", secondary: 2 }]],
      }),
    NO_SECONDARY,
  ],
  [
    "the secondary of an overview",
    () => answered({ ask: "overview", bins: 2, secondary: 1 }),
    () => answered({ ask: "overview", bins: 2, secondary: 2 }),
    NO_SECONDARY,
  ],
  [
    "that of slow blocks",
    () => answered({ ask: "slowest", sort: "send", descending: true, secondary: 1, limit: 1, offset: 0 }),
    () => answered({ ask: "slowest", sort: "send", descending: true, secondary: 2, limit: 1, offset: 0 }),
    NO_SECONDARY,
  ],
  [
    "that of slow commits",
    () => answered({ ask: "slowCommits", order: "waited", secondary: 1, limit: 1, offset: 0 }),
    () => answered({ ask: "slowCommits", order: "waited", secondary: 2, limit: 1, offset: 0 }),
    NO_SECONDARY,
  ],
  [
    "that of a distribution",
    () => answered({ ask: "distribution", secondary: 1, scale: "log", stage: "send" }),
    () => answered({ ask: "distribution", secondary: 2, scale: "log", stage: "send" }),
    NO_SECONDARY,
  ],
  [
    "a phase",
    () => answered({ ask: "statistics", phase: 0 }),
    () => answered({ ask: "statistics", phase: 1 }),
    "The capture has 1 phases; there is no number 1.",
  ],
  [
    "a database",
    () => answered({ ask: "statistics", database: 0 }),
    () => answered({ ask: "statistics", database: 1 }),
    NO_DATABASE,
  ],
  [
    "the database of raw events",
    () => answered({ ...raw, first: { position: 0 }, database: 0 }),
    () => answered({ ...raw, first: { position: 0 }, database: 1 }),
    NO_DATABASE,
  ],
  [
    "the database of a density",
    () => answered({ ...density, database: 0 }),
    () => answered({ ...density, database: 1 }),
    NO_DATABASE,
  ],
  [
    "a log block",
    () => answered({ ask: "sequence", row: 1 }),
    () => answered({ ask: "sequence", row: 2 }),
    "The capture has 2 log blocks; there is no row 2.",
  ],
  [
    "the only log block",
    () => answered({ ask: "sequence", row: 0 }, without),
    () => answered({ ask: "sequence", row: 1 }, without),
    "The capture has 1 log block; there is no row 1.",
  ],
  [
    "the log block that raw events begin at",
    () => answered(rawAt({ block: 1 })),
    () => answered(rawAt({ block: 2 })),
    "The capture has 2 log blocks; there is no row 2.",
  ],
  [
    "the file that they begin in",
    () => answered(rawAt({ file: 0, offset: 0 })),
    () => answered(rawAt({ file: 1, offset: 0 })),
    "The capture has 1 files; there is no number 1.",
  ],
  [
    "a range of raw events, which may begin before the capture",
    () => answered({ ...raw, first: { position: 0 }, from: -10, to: -5 }),
    () => answered({ ...raw, first: { position: 0 }, from: -5, to: -5 }),
    "from (-5 µs) must lie before to (-5 µs).",
  ],
  [
    "a range of a density",
    () => answered({ ...density, from: 5, to: 6 }),
    () => answered({ ...density, from: 6, to: 6 }),
    "from (6 µs) must lie before to (6 µs).",
  ],
  [
    "a change",
    () => answered({ ask: "whatIf", change: "write:SQL2:5ms", list: false }),
    () => answered({ ask: "whatIf", change: "write:SQL9:5ms", list: false }),
    "SQL9",
  ],
])("%s", async (_, taken, refused, sentence) => {
  await expect(taken()).resolves.toBeDefined();
  await expect(refused()).rejects.toThrow(sentence);
});

test("conditions on any secondary, and on the primary, are taken where there is no secondary", async () => {
  const conditions: BlockFilter = [
    { kind: "duration", stage: "localFlush", secondary: null, comparison: over },
    { kind: "gate", secondary: null },
    { kind: "class", writeClass: "good", replica: null },
    { kind: "class", writeClass: "good", replica: 0 },
    { kind: "size", comparison: over },
  ];
  for (const condition of conditions) await expect(hits(condition, without)).resolves.toBeDefined();
  await expect(hits({ kind: "gate", secondary: 1 }, without)).rejects.toThrow("0 secondaries");
});

test("a table has half a million rows at most", async () => {
  const commits = (count: number) =>
    answered({ ask: "table", table: "commits", format: "csv" }, { ...model, commits: { ...many(count) } });
  const many = (length: number) => ({
    length,
    block: new Int32Array(length),
    database: new Uint16Array(length),
    start: new Float64Array(length),
    end: new Float64Array(length),
    gate: new Uint8Array(length),
    timeToCommit: new Float64Array(length),
  });
  await expect(commits(500_001)).rejects.toMatchObject({ problem: { code: "table-too-large" } });
});

test("of a range that is judged no more than 50,000 log blocks may be", async () => {
  const time = Float64Array.from({ length: 50_002 }, (_, row) => row);
  const long = { ...model, duration: 60_000, blocks: { ...model.blocks, length: time.length, time } };
  await expect(answered({ ask: "scope", from: 0, to: 50_001 }, long)).rejects.toThrow(
    "this range: it has more than 50000 log blocks or commits",
  );
});
