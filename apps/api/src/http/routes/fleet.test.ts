import { afterEach, expect, test } from "vitest";
import { Fleet, SqlResult } from "@aglens/contract";
import { as, TOKENS, tokenAccess } from "../../../test/access.ts";
import { testService } from "../../../test/service.ts";
import type { TestService } from "../../../test/service.ts";
import { until } from "../../../test/until.ts";

let service: TestService;
afterEach(() => service.end());

async function analysed(client: ReturnType<typeof as>, sample: string): Promise<string> {
  const { body } = await client.post(`/samples/${sample}`).expect(201);
  await until(async () => (await service.captures.get(body.id)).state === "ready");
  return body.id;
}

test("a capture's column has the percentiles that its own screens show", async () => {
  service = await testService(await tokenAccess());
  const ann = as(service, TOKENS.ann);
  const id = await analysed(ann, "two-secondaries");
  const { a } = Fleet.parse((await ann.get("/fleet").expect(200)).body);
  const { body: statistics } = await ann.get(`/captures/${id}/statistics`).expect(200);
  const { body: summary } = await ann.get(`/captures/${id}/summary`).expect(200);
  expect(a?.columns).toMatchObject([
    { id, captures: 1, blocks: summary.blocks.total, commits: summary.commits.count },
  ]);
  const names: string[] = summary.replicas.map(({ name }: { name: string }) => name);
  expect(a?.lanes.map(({ stage, replica }) => [stage, replica])).toEqual([
    ["commit", ""],
    ["localFlush", "SQL1"],
    // The files of SQL2 are missing.
    ["remoteHarden", "SQL2"],
    ["networkRoundTrip", "SQL3"],
    ["secondaryFlush", "SQL3"],
  ]);
  for (const { stage, replica, p50, p95, p99, max } of a?.lanes ?? []) {
    const own =
      stage === "commit"
        ? statistics.commitLatency
        : statistics.stages[Math.max(0, names.indexOf(replica) - 1)][stage];
    expect([p50[0], p95[0], p99[0], max[0]], stage).toEqual([own.p50, own.p95, own.p99, own.max]);
  }
  expect(a?.columns[0]?.paths.map(({ replica, means }) => [replica, means.remoteHarden])).toEqual(
    [1, 2].map((i) => [names[i], summary.stages[i - 1].remoteHarden.mean]),
  );
});

test("the same percentiles come out of the tables in the data set", async () => {
  service = await testService({ ...(await tokenAccess()), keepsTables: true });
  const ann = as(service, TOKENS.ann);
  const id = await analysed(ann, "two-secondaries");
  expect(await service.dataset.whenWritten(id)).toBe(true);
  const { a } = Fleet.parse((await ann.get("/fleet").expect(200)).body);
  const figures = (column: string): string =>
    `quantile_cont(${column}, 0.5), quantile_cont(${column}, 0.95), quantile_cont(${column}, 0.99), max(${column})`;
  const stage = (name: string, column: string): string =>
    `SELECT '${name}', replica, ${figures(column)} FROM hops GROUP BY replica`;
  const sql = [
    `SELECT 'commit', '', ${figures("latency_us")} FROM commits`,
    `SELECT 'localFlush', 'SQL1', ${figures("log_write_us")} FROM blocks`,
    stage("networkRoundTrip", "network_round_trip_us"),
    stage("secondaryFlush", "log_write_us"),
    stage("remoteHarden", "remote_harden_us"),
  ].join(" UNION ALL ");
  const { body } = await ann.post(`/captures/${id}/sql`).send({ sql }).expect(200);
  const columns = SqlResult.parse(body).columns.map(({ values }) => values);
  const [stages = [], replicas = [], ...found] = columns;
  expect(a?.lanes).toHaveLength(5);
  for (const { stage, replica, p50, p95, p99, max } of a?.lanes ?? []) {
    const row = stages.findIndex((name, i) => name === stage && replicas[i] === replica);
    [p50, p95, p99, max].forEach((own, i) =>
      expect(found[i]?.[row], `${stage} ${replica}`).toBeCloseTo(own[0] ?? 0, 6),
    );
  }
});

test("whoever asks has only the captures that they may see", async () => {
  service = await testService(await tokenAccess());
  const ann = as(service, TOKENS.ann);
  const id = await analysed(ann, "slow-network");
  const shownTo = async (token: string) =>
    Fleet.parse((await as(service, token).get("/fleet").expect(200)).body).groups.length;
  expect([await shownTo(TOKENS.ann), await shownTo(TOKENS.bob), await shownTo(TOKENS.admin)]).toEqual([
    1, 0, 1,
  ]);
  await service.captures.share(id, true);
  expect(await shownTo(TOKENS.viewer)).toBe(1);
  await ann.delete(`/captures/${id}`).expect(204);
  expect(await shownTo(TOKENS.ann)).toBe(0);
});
