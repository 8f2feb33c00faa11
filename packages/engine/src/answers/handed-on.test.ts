/**
 * Each question passes on all of its parameters: the answer equals that of the model's own function for the same
 * values.
 */
import {
  blockFilterText,
  encodeCommits,
  encodeCsvTable,
  encodeWindow,
  type BlockFilter,
} from "@aglens/contract";
import { modelOf } from "@aglens/ag-model/model-for-tests";
import {
  commitsInCapture,
  commitWindow,
  countHits,
  distributionOf,
  eventDensity,
  filteredBlocks,
  findBlockAt,
  findLsn,
  hitsOf,
  overviewOf,
  percentileSpread,
  rangeStatistics,
  releasesOf,
  replicaRows,
  scopedModel,
  sequenceOfBlock,
  slowCommits,
  slowCommitsInCapture,
  slowestBlocks,
  slowestInCapture,
  summariseScope,
  windowInCapture,
  windowOf,
} from "@aglens/ag-model/query";
import { waitingAnswer, whatIfAnswer } from "@aglens/ag-model/replay";
import { columnReader, rowTable, withBlocks, withFullRows } from "@aglens/ag-model/tables";
import { expect, test } from "vitest";
import { readPerfetto } from "../../../contract/test/perfetto-reader.ts";
import { answer, type Question } from "./answer.ts";

/** Blocks of two databases and two phases, each of which has different durations in every stage. */
const model = (() => {
  const specs = Array.from({ length: 60 }, (_, i) => ({
    at: 10_000 * i,
    localFlush: 1_000 + 37 * ((i * 17) % 60),
    commits: 1 + (i % 3),
    hops: [{ flush: 2_000 + 53 * ((i * 23) % 60) }, { flush: 2_500 + 71 * ((i * 31) % 60), send: 100 + i }],
  }));
  const made = modelOf(specs, { secondaries: 2, duration: 600_000 });
  made.blocks.database.set(specs.map((_, i) => i % 2));
  made.blocks.phase.set(specs.map((_, i) => (i < 30 ? 0 : 1)));
  made.commits.database.set(made.commits.block.map((row) => row % 2));
  const [phase] = made.phases;
  const [database] = made.databases;
  return {
    ...made,
    databases: [database!, { ...database!, id: "other", name: "Other", localIds: [6, 6, 6] }],
    phases: [
      { ...phase!, databases: [0, 1], to: 299_999 },
      { ...phase!, databases: [0, 1], from: 300_000 },
    ],
  };
})();

const part = { from: 100_000, to: 500_000 };
const scope = { database: 1, phase: 1 };
const scoped = scopedModel(model, scope);
const where: BlockFilter = [
  { kind: "duration", stage: "localFlush", secondary: null, comparison: { sign: ">", amount: 1_500 } },
];
const filtered = { ...part, ...scope, where };
const list = { secondary: 1, limit: 3, offset: 1 };

const bytesOf = async (question: Question): Promise<Uint8Array> =>
  (await answer(model, question, () => Promise.resolve(null))).bytes;
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test.each<readonly [Question, () => unknown]>([
  [{ ask: "scope", ...scope }, () => summariseScope(model, scope)],
  [
    { ask: "scope", ...scope, from: 100_000 },
    () => summariseScope(model, scope, { from: 100_000, to: 600_000 }),
  ],
  [{ ask: "scope", ...scope, to: 500_000 }, () => summariseScope(model, scope, { from: 0, to: 500_000 })],
  [{ ask: "scope", database: 0 }, () => summariseScope(model, { database: 0, phase: null })],
  [
    { ask: "overview", ...part, ...scope, bins: 7, secondary: 1 },
    () => overviewOf(scoped.model, { ...part, bins: 7, secondary: 1 }),
  ],
  [
    { ask: "statistics", ...filtered, exceptFrom: 300_000, exceptTo: 350_000 },
    () => ({
      ...part,
      ...rangeStatistics(model, part, { filter: where, except: { from: 300_000, to: 350_000 }, scope }),
    }),
  ],
  // One bound alone is no range to leave out.
  [
    { ask: "statistics", ...part, exceptFrom: 300_000 },
    () => ({ ...part, ...rangeStatistics(model, part, { scope: { database: null, phase: null } }) }),
  ],
  [
    { ask: "statistics", ...part, exceptTo: 300_000 },
    () => ({ ...part, ...rangeStatistics(model, part, { scope: { database: null, phase: null } }) }),
  ],
  [
    { ask: "slowest", ...filtered, sort: "send", descending: false, ...list },
    () => {
      const wanted = { ...part, sort: "send", descending: false, ...list, filter: where } as const;
      return slowestInCapture(model, slowestBlocks(scoped.model, wanted), scoped);
    },
  ],
  [{ ask: "hits", ...filtered }, () => hitsOf(scoped.model, { filter: where, ...part })],
  [
    { ask: "hitCounts", ...scope, where: [where, [{ kind: "gate", secondary: 1 }]] },
    () => ({
      counts: [countHits(scoped.model, where), countHits(scoped.model, [{ kind: "gate", secondary: 1 }])],
    }),
  ],
  [{ ask: "find", lsn: "22:1" }, () => findLsn(model, "22:1")],
  [{ ask: "find", at: 255_000 }, () => findBlockAt(model, 255_000)],
  [
    { ask: "slowCommits", ...filtered, order: "waited", ...list },
    () =>
      slowCommitsInCapture(
        slowCommits(scoped.model, { ...part, order: "waited", ...list, filter: where }),
        scoped,
      ),
  ],
  [{ ask: "releases", ...part, ...scope, bins: 7 }, () => releasesOf(scoped.model, { ...part, bins: 7 })],
  [
    { ask: "replicaRows", ...part, ...scope, bins: 7, columns: 11 },
    () => replicaRows(scoped.model, { ...part, bins: 7, columns: 11 }),
  ],
  [
    { ask: "eventDensity", ...part, database: 1, replicas: [1], bins: 7 },
    () => eventDensity(model, { ...part, database: 1, replicas: [1] }, 7),
  ],
  [
    { ask: "eventDensity", replicas: null, bins: 7 },
    () => eventDensity(model, { from: -Infinity, to: Infinity, database: null, replicas: null }, 7),
  ],
  [
    {
      ask: "distribution",
      ...part,
      ...scope,
      otherFrom: 0,
      otherTo: 90_000,
      secondary: 1,
      scale: "linear",
      stage: "secondaryFlush",
    },
    () =>
      distributionOf(model, {
        ...part,
        other: { from: 0, to: 90_000 },
        secondary: 1,
        scale: "linear",
        stage: "secondaryFlush",
        scope,
      }),
  ],
  [
    { ask: "spread", ...part, ...scope, secondary: 1 },
    () => percentileSpread(model, { ...part, secondary: 1, scope }),
  ],
  [{ ask: "waiting" }, () => waitingAnswer(model)],
  [
    { ask: "whatIf", change: "write:SQL2:5ms", list: false },
    () => whatIfAnswer(model, "write:SQL2:5ms", false),
  ],
  [{ ask: "whatIf", list: true }, () => whatIfAnswer(model, undefined, true)],
  [{ ask: "sequence", row: 31 }, () => ({ ...sequenceOfBlock(model, 31), events: [] })],
])("%j", async (question, expected) => {
  expect(JSON.parse(new TextDecoder().decode(await bytesOf(question)))).toEqual(asJson(expected()));
});

test("blocks and commits are numbered as in the whole capture, in Arrow", async () => {
  const wanted = { ...part, limit: 5, bins: 7, filter: where };
  const { type } = await answer(model, { ask: "window", ...filtered, limit: 5, bins: 7 }, () =>
    Promise.resolve(null),
  );
  expect(type).toBe("arrow");
  expect(await bytesOf({ ask: "window", ...filtered, limit: 5, bins: 7 })).toEqual(
    encodeWindow(windowInCapture(windowOf(scoped.model, wanted), scoped)),
  );
  expect(await bytesOf({ ask: "window", ...filtered, limit: 50, bins: 7 })).toEqual(
    encodeWindow(windowInCapture(windowOf(scoped.model, { ...wanted, limit: 50 }), scoped)),
  );
  const commits = commitWindow(scoped.model, { ...part, limit: 50, filter: where });
  expect(commits.commits.length).toBeGreaterThan(0);
  expect(await bytesOf({ ask: "commits", ...filtered, limit: 50 })).toEqual(
    encodeCommits(commitsInCapture(commits, scoped)),
  );
});

test("a table has the rows of its part that pass the filter, and says in its metadata which filter that is", async () => {
  const table = withFullRows(
    withBlocks(rowTable(scoped.model, "blocks", part), filteredBlocks(scoped.model, where).isIn),
    scoped.rows,
  );
  expect(table.length).toBeGreaterThan(1);
  expect(await bytesOf({ ask: "table", table: "blocks", format: "csv", ...filtered })).toEqual(
    encodeCsvTable(table),
  );
  const encoded: unknown[] = [];
  const parquet = (rows: { readonly length: number }, metadata: object): Uint8Array => {
    encoded.push([rows.length, (metadata as { filter?: string }).filter]);
    return Uint8Array.of(7);
  };
  const asked = { ask: "table", table: "blocks", format: "parquet", ...part, ...scope } as const;
  const made = await answer(model, { ...asked, where }, () => Promise.resolve(null), parquet);
  await answer(model, asked, () => Promise.resolve(null), parquet);
  expect(made).toEqual({ type: "parquet", bytes: Uint8Array.of(7) });
  expect(encoded).toEqual([
    [table.length, blockFilterText(where)],
    [rowTable(scoped.model, "blocks", part).length, undefined],
  ]);
  const words = new TextDecoder().decode(await bytesOf({ ...asked, format: "arrow", where }));
  expect(words).toContain(blockFilterText(where));
  await expect(bytesOf({ ...asked, where })).rejects.toThrow("Can't write Parquet files in the browser.");
});

test("a trace has the blocks of its part that pass the filter, with their rows in the capture", async () => {
  const { isIn } = filteredBlocks(scoped.model, where);
  const table = withFullRows(withBlocks(rowTable(scoped.model, "blocks", part), isIn), scoped.rows);
  const rows = columnReader(table, "block");
  const { slices } = readPerfetto(await bytesOf({ ask: "trace", files: [], ...filtered }));
  const drawn = slices.filter(({ name, args }) => name === "Log write" && "commits" in args);
  expect(drawn.length).toBe(table.length);
  expect(new Set(drawn.map(({ args }) => args["block"]))).toEqual(
    new Set(Array.from({ length: table.length }, (_, row) => rows(row))),
  );
  expect(slices.find(({ name }) => name === "About this trace")?.args["filter"]).toBe(blockFilterText(where));
});
