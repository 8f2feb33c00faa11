import { expect, test } from "vitest";
import { modelOf } from "../../test/model.ts";
import { commitStatistics, stageStatistics } from "../columns/index.ts";
import { stagesTable } from "./stages.ts";
import { columnReader, type ExportTable } from "./table.ts";

const rowsOf = (table: ExportTable): Record<string, unknown>[] =>
  Array.from({ length: table.length }, (_, row) =>
    Object.fromEntries(table.columns.map(({ name }) => [name, columnReader(table, name)(row)])),
  );

/** Five log writes of the secondary: 1 to 4 ms, and one of 60. */
const model = () =>
  modelOf([1_000, 2_000, 3_000, 4_000, 60_000].map((flush, i) => ({ at: i * 1e6, hops: [{ flush }] })));

test("a stage has its percentiles between neighbors, its mean, sum and how many were slow", () => {
  const rows = rowsOf(stagesTable(model())).filter(
    ({ rows_of: of, stage, database }) => of === "hops" && stage === "log_write" && database === null,
  );
  const { name } = model().replicas[1];
  expect(rows).toEqual([
    {
      // The capture begins at 2016-05-06T02:16:55Z: 1,462,501,015 s after 1970.
      utc: 1462501015000000n,
      rows_of: "hops",
      stage: "log_write",
      replica: name,
      gate: null,
      database: null,
      count: 5,
      p50_us: 3_000,
      // 80 % and 96 % of the way from 4 to 60 ms.
      p95_us: expect.closeTo(48_800, 6),
      p99_us: expect.closeTo(57_760, 6),
      max_us: 60_000,
      mean_us: 14_000,
      sum_us: 70_000,
      over_50_ms: 1,
    },
  ]);
});

test("what is not known counts in none, and a stage of which nothing is known has no row", () => {
  const lost = model();
  lost.hops[0].received.fill(Number.NaN, 3);
  const count = (stage: string): unknown =>
    rowsOf(stagesTable(lost)).find((row) => row["stage"] === stage && row["database"] === null)?.["count"];
  expect([count("remote_harden"), count("network_out")]).toEqual([5, 3]);
  lost.hops[0].received.fill(Number.NaN);
  expect(count("network_out")).toBeUndefined();
});

test("are the app's own: of the primary, of each secondary, and of commits", () => {
  const many = modelOf(
    Array.from({ length: 40 }, (_, i) => ({
      at: i * 1e6,
      localFlush: 300 + 37 * i,
      hops: [{ flush: 500 + 91 * i }, { wireOut: 200 + 13 * i }],
    })),
    { secondaries: 2 },
  );
  const rows = rowsOf(stagesTable(many)).filter(({ database, gate }) => database === null && gate === null);
  const shown = (table: string, stage: string) =>
    rows
      .filter((row) => row["rows_of"] === table && row["stage"] === stage)
      .map(({ count, p50_us, p95_us, p99_us, max_us, mean_us }) => ({
        n: count,
        p50: p50_us,
        p95: p95_us,
        p99: p99_us,
        max: max_us,
        mean: mean_us,
      }));
  expect(shown("blocks", "log_write")).toEqual([stageStatistics(many, 0, "localFlush")]);
  expect(shown("hops", "log_write")).toEqual([0, 1].map((s) => stageStatistics(many, s, "secondaryFlush")));
  expect(shown("hops", "network_round_trip")).toEqual(
    [0, 1].map((s) => stageStatistics(many, s, "networkRoundTrip")),
  );
  expect(shown("commits", "latency")).toEqual([commitStatistics(many)]);
});

test("commits are there by what released them too, and add up to all", () => {
  const commits = rowsOf(stagesTable(model())).filter(
    ({ stage, database }) => stage === "latency" && database === null,
  );
  const counts = (isOne: boolean) =>
    commits.filter(({ gate }) => (gate !== null) === isOne).map(({ count }) => Number(count));
  expect(counts(false)).toEqual([5]);
  expect(counts(true).reduce((sum, n) => sum + n, 0)).toBe(5);
});

test("databases have rows of their own beside those of all together", () => {
  const [orders, stock] = model().databases.concat({ ...model().databases[0], id: "db2", name: "Stock" });
  const two = { ...model(), databases: [orders, stock] };
  two.blocks.database.set([0, 1, 0, 1, 1]);
  const writes = rowsOf(stagesTable(two)).filter(
    ({ rows_of: of, stage }) => of === "hops" && stage === "log_write",
  );
  expect(writes.map((row) => [row["database"], row["count"], row["p50_us"], row["over_50_ms"]])).toEqual([
    [null, 5, 3_000, 1],
    ["TestDB", 2, 2_000, 0],
    ["Stock", 3, 4_000, 1],
  ]);
});

test("after a failover a server's stages are those of each role that it had", () => {
  const moved = model();
  moved.blocks.phase.set([0, 0, 0, 1, 1]);
  const [before] = moved.phases;
  const failedOver = { ...moved, phases: [before, { ...before, primary: 1 }] };
  const [first, second] = moved.replicas.map(({ name }) => name);
  const counts = (table: string) =>
    rowsOf(stagesTable(failedOver))
      .filter(
        ({ rows_of: of, stage, database }) => of === table && stage === "log_write" && database === null,
      )
      .map(({ replica, count, max_us: max }) => [replica, count, table === "hops" ? max : null]);
  expect(counts("hops")).toEqual([
    [first, 2, 60_000],
    [second, 3, 3_000],
  ]);
  expect(counts("blocks")).toEqual([
    [first, 3, null],
    [second, 2, null],
  ]);
});

test("a capture without a block has none", () => {
  expect(stagesTable(modelOf([])).length).toBe(0);
});
