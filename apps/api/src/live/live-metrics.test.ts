/** Metrics of live runs of two groups, against what their captures have, and what the stand-ins are told. */
import { TestClock } from "@aglens/fixtures/clock";
import { startGroup } from "@aglens/fixtures/replica-standin";
import type { GroupOptions, StandInGroup } from "@aglens/fixtures/replica-standin";
import type { Summary } from "@aglens/contract";
import request from "supertest";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RunUnderTest, isFlowing } from "../../test/live-run.ts";
import { testService } from "../../test/service.ts";
import type { TestService } from "../../test/service.ts";
import { until } from "../../test/until.ts";

let clock: TestClock;
let service: TestService;
const groups: StandInGroup[] = [];
beforeEach(async () => {
  clock = new TestClock();
  service = await testService({}, undefined, {
    clock,
    patience: { connectMs: 5_000, queryMs: 5_000, pollMs: 500, cancelMs: 200 },
  });
});
afterEach(async () => {
  await clock.during(service.end());
  for (const group of groups.splice(0)) await group.close();
});

async function start(options: GroupOptions): Promise<StandInGroup> {
  const group = await startGroup({
    blocksPerSecond: 20,
    dispatchMs: 250,
    clock,
    login: { user: "lens", password: "Tr0ub4dor&3-never-told" },
    ...options,
  });
  groups.push(group);
  return group;
}

const metrics = async (): Promise<string> => (await request(service.app).get("/metrics").expect(200)).text;

/** Values of a metric's series with a text in their labels, as they are written. */
function valuesOf(text: string, metric: string, ...labels: readonly string[]): number[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith(`${metric}{`) && labels.every((label) => line.includes(label)))
    .map((line) => Number(line.split(" ").at(-1)));
}
const total = (...series: Parameters<typeof valuesOf>): number =>
  valuesOf(...series).reduce((sum, value) => sum + value, 0);

async function summaryOf(id: string | null): Promise<Summary> {
  await until(async () => {
    const { body } = await request(service.app).get(`/api/v1/captures/${id}`).expect(200);
    if (body.state === "failed") throw new Error(body.problem.detail);
    return body.state === "ready";
  });
  return (await request(service.app).get(`/api/v1/captures/${id}/summary`).expect(200)).body;
}

test("histograms have each block of two groups once, through a failover, and end with the run", async () => {
  const sales = await start({
    secondaries: 2,
    names: { servers: ["SQL1", "SQL2", "SQL3"], group: "SALES-AG", databases: ["Sales"] },
  });
  const crm = await start({
    seed: 2,
    names: { servers: ["CRM1", "CRM2"], group: "CRM-AG", databases: ["Crm"] },
  });
  crm.logWrite(1, 40);
  const runs = [
    await RunUnderTest.begin(service, clock, sales.replicas),
    await RunUnderTest.begin(service, clock, crm.replicas),
  ] as const;
  for (const run of runs) await run.until((picture) => isFlowing(picture) && picture.now > 2e6);
  sales.failover(1);
  await runs[0].until((p) => p.replicas[1]?.role === "primary" && p.replicas[0]?.role === "secondary");
  await runs[0].until(({ polls }) => polls.length > 0);
  await clock.pass(15_000, 25);

  const running = await metrics();
  const inGroup = (group: string): string => `{group="${group}"`;
  expect(valuesOf(running, "aglens_synchronized", inGroup("SALES-AG"), 'replica="SQL1"')).toEqual([1]);
  expect(valuesOf(running, "aglens_synchronized", inGroup("SALES-AG"))).toEqual([1, 1]);
  for (const gauge of ["send_queue_bytes", "redo_queue_bytes", "estimated_data_loss_seconds"])
    expect(valuesOf(running, `aglens_${gauge}`, inGroup("CRM-AG"), 'replica="CRM2"')).toHaveLength(1);
  // A commit waits for a log write of 40 ms more.
  const [delay = 0] = valuesOf(running, "aglens_commit_delay_seconds", inGroup("CRM-AG"));
  expect(delay).toBeGreaterThan(0.02);
  expect(delay).toBeLessThan(0.08);

  const isNear = (counted: number, recorded: number, mostMissing: number): void => {
    expect(counted).toBeLessThanOrEqual(recorded);
    expect(counted).toBeGreaterThanOrEqual(recorded - mostMissing);
  };
  // After a failover a run has no events until a poll shows the new role: those of a second.
  for (const [index, group, missing] of [
    [0, "SALES-AG", 20],
    [1, "CRM-AG", 0],
  ] as const) {
    const capture = await runs[index].stop();
    // A slow machine may need a minute of the clock to stop the next run.
    const ended = await metrics();
    const { commits, blocks } = await summaryOf(capture);
    expect(commits.count).toBeGreaterThan(200);
    const counted = total(ended, "aglens_commit_seconds_count", inGroup(group));
    isNear(counted, commits.count, missing);
    expect(total(ended, "aglens_commit_seconds_bucket", inGroup(group), 'le="+Inf"')).toBe(counted);
    const queued = total(ended, "aglens_stage_seconds_count", inGroup(group), 'stage="commit_queue"');
    isNear(queued, blocks.withCommit, missing);
    expect(valuesOf(ended, "aglens_synchronized", inGroup(group))).toEqual([]);
    expect(valuesOf(ended, "aglens_commit_delay_seconds", inGroup(group))).toEqual([]);
    // Before and after the failover.
    const series = valuesOf(ended, "aglens_commit_seconds_count", inGroup(group));
    expect(series).toHaveLength(group === "SALES-AG" ? 2 : 1);
  }
  const ended = await metrics();
  const ofWrites = (replica: string, limit: string): number =>
    total(ended, "aglens_stage_seconds_bucket", `replica="${replica}"`, 'stage="log_write"', `le="${limit}"`);
  expect([ofWrites("CRM2", "0.01"), ofWrites("CRM2", "0.2")]).toEqual([0, ofWrites("CRM2", "+Inf")]);
  expect(ofWrites("CRM2", "+Inf")).toBeGreaterThan(200);
  expect(ofWrites("CRM1", "0.02")).toBe(ofWrites("CRM1", "+Inf"));

  await clock.pass(59_000);
  expect(total(await metrics(), "aglens_commit_seconds_count", inGroup("CRM-AG"))).toBeGreaterThan(0);
  await clock.pass(2_000);
  expect(await metrics()).not.toMatch(/SALES-AG|CRM-AG/u);
});
