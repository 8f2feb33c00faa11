import { expect, test } from "vitest";
import type { Question } from "./answer.ts";
import { QUESTION_ROUTES } from "./question-routes.ts";

/** The question of an address below a capture, such as `slowest?limit=5`; a list where a parameter is repeated. */
function questionOf(address: string, params: Readonly<Record<string, string>> = {}): Question {
  const [path, search] = address.split("?");
  const given = new URLSearchParams(search);
  const query = Object.fromEntries(
    [...new Set(given.keys())].map((name) => {
      const values = given.getAll(name);
      return [name, values.length > 1 ? values : values[0]];
    }),
  );
  return QUESTION_ROUTES.find((route) => route.path === path)!.question(params, query);
}

test.each([
  ["scope", { ask: "scope" }],
  ["overview", { ask: "overview", bins: 600, secondary: 0 }],
  ["window", { ask: "window", limit: 20_000, bins: 1_000 }],
  ["commits", { ask: "commits", limit: 20_000 }],
  ["markers", { ask: "markers" }],
  ["statistics", { ask: "statistics" }],
  ["slowest", { ask: "slowest", sort: "remoteHarden", descending: true, secondary: 0, limit: 50, offset: 0 }],
  ["distribution", { ask: "distribution", secondary: 0, scale: "log", stage: "commit" }],
  ["spread", { ask: "spread", secondary: 0 }],
  ["releases", { ask: "releases", bins: 1_000 }],
  ["replicas", { ask: "replicaRows", bins: 60, columns: 600 }],
  ["slow-commits", { ask: "slowCommits", order: "waited", secondary: 0, limit: 50, offset: 0 }],
  [
    "raw-events",
    { ask: "rawEvents", first: { position: 0 }, replicas: null, names: null, text: "", read: 200 },
  ],
  ["event-density", { ask: "eventDensity", replicas: null, bins: 200 }],
  ["waiting", { ask: "waiting" }],
  ["what-if", { ask: "whatIf", list: true }],
  ["evidence", { ask: "evidence", files: [] }],
  ["evidence/samples", { ask: "evidenceSamples", bins: 1_000, metrics: null, files: [] }],
])("%s without a query has its defaults", (path, question) => {
  expect(questionOf(path)).toEqual(question);
});

test.each([
  ["window?from=-9007199254740991", "window?from=-1e308"],
  ["overview?to=9007199254740991", "overview?to=9007199254740992"],
  ["find?at=0", "find?at=1e308"],
  ["distribution?otherTo=5", "distribution?otherTo=-1e16"],
  ["statistics?exceptFrom=5", "statistics?exceptFrom=Infinity"],
  ["spread?secondary=15", "spread?secondary=16"],
  ["spread?secondary=0", "spread?secondary=-1"],
  ["scope?database=65535", "scope?database=65536"],
  ["scope?database=0", "scope?database=-1"],
  ["scope?phase=65535", "scope?phase=65536"],
  ["scope?phase=0", "scope?phase=-1"],
  ["overview?bins=1", "overview?bins=0"],
  ["overview?bins=20000", "overview?bins=20001"],
  ["window?limit=0", "window?limit=-1"],
  ["window?limit=200000", "window?limit=200001"],
  ["commits?limit=0", "commits?limit=-1"],
  ["commits?limit=200000", "commits?limit=200001"],
  ["slowest?limit=1", "slowest?limit=0"],
  ["slowest?limit=1000", "slowest?limit=1001"],
  ["slowest?offset=0", "slowest?offset=-1"],
  ["slow-commits?limit=1", "slow-commits?limit=0"],
  ["slow-commits?limit=1000", "slow-commits?limit=1001"],
  ["slow-commits?offset=0", "slow-commits?offset=-1"],
  ["raw-events?read=1", "raw-events?read=0"],
  ["raw-events?read=2000", "raw-events?read=2001"],
  ["hits?where=db=1", "hits"],
  ["hit-counts?where=db=1", "hit-counts"],
  ["find?at=0", "find?at=0&lsn=1"],
  ["find?lsn=34:359", "find"],
  ["what-if?change=async:SQL2", "what-if?change=%20"],
  ["evidence/samples?metric=0", "evidence/samples?metric=-1"],
  ["evidence/samples?bins=20000", "evidence/samples?bins=20001"],
])("%s is asked, %s is not", (asked, refused) => {
  expect(() => questionOf(asked)).not.toThrow();
  expect(() => questionOf(refused)).toThrow(expect.objectContaining({ name: "ZodError" }));
});

test.each([
  ["letters of a text", 200, (count: number) => `raw-events?text=${"x".repeat(count)}`],
  ["replicas", 16, (count: number) => `raw-events?${"replica=1&".repeat(count)}`],
  ["names of events", 100, (count: number) => `raw-events?${"name=a&".repeat(count)}`],
  ["metrics", 500, (count: number) => `evidence/samples?${"metric=1&".repeat(count)}`],
  ["filters", 40, (count: number) => `hit-counts?${"where=db=1&".repeat(count)}`],
])("%s are at most %i", (_, most, address) => {
  expect(() => questionOf(address(most))).not.toThrow();
  expect(() => questionOf(address(most + 1))).toThrow(expect.objectContaining({ name: "ZodError" }));
});

test("one parameter or several of its name are a list", () => {
  const where = { kind: "database", database: 2 };
  expect(questionOf("hit-counts?where=db=2")).toMatchObject({ where: [[where]] });
  expect(questionOf("hit-counts?where=db=2&where=db=2,db=2")).toMatchObject({
    where: [[where], [where, where]],
  });
  expect(questionOf("raw-events?replica=3&name=a&name=b")).toMatchObject({
    replicas: [3],
    names: ["a", "b"],
  });
  expect(questionOf("event-density?replica=3&replica=0")).toMatchObject({ replicas: [3, 0] });
});

test("raw events begin at a block, at an event of a file, or at a position", () => {
  const first = (query: string) => (questionOf(`raw-events?${query}`) as { first?: unknown }).first;
  expect(first("position=7")).toEqual({ position: 7 });
  expect(first("position=7&file=1&offset=512")).toEqual({ file: 1, offset: 512 });
  expect(first("position=7&file=1")).toEqual({ position: 7 });
  expect(first("block=9&file=1&offset=512")).toEqual({ block: 9 });
});

test("a block is asked for by its row, and a table by its name", () => {
  const at = (path: string, params: Record<string, string>) => questionOf(path, params);
  expect(at("blocks/:row", { row: "0" })).toEqual({ ask: "sequence", row: 0 });
  expect(at("export/csv/:table", { table: "blocks" })).toEqual({
    ask: "table",
    table: "blocks",
    format: "csv",
  });
  expect(() => at("blocks/:row", { row: "-1" })).toThrow("needs its row number");
  expect(() => at("export/csv/:table", { table: "x" })).toThrow("no table of that name");
});

test("tables are given of a capture itself alone, never behind a link", () => {
  const own = QUESTION_ROUTES.filter(({ isOwn = false }) => isOwn).map(({ path }) => path);
  expect(own.toSorted()).toEqual([
    "export/arrow/:table",
    "export/csv/:table",
    "export/parquet/:table",
    "export/perfetto",
  ]);
});
