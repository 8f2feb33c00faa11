/** Metrics of a watch: what it polls, its state, its recordings and its refusals. */
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Watch } from "@aglens/contract";
import { TestClock } from "@aglens/fixtures/clock";
import { WAIT_MS } from "@aglens/fixtures/patience";
import { startGroup } from "@aglens/fixtures/replica-standin";
import type { StandInGroup } from "@aglens/fixtures/replica-standin";
import request from "supertest";
import { afterEach, beforeEach, expect, test } from "vitest";
import { attach } from "../../test/live-run.ts";
import { testService } from "../../test/service.ts";
import type { TestService } from "../../test/service.ts";
import { definitionOf } from "../../test/watch.ts";

const LOGIN = { kind: "sql", user: "lens", password: "Tr0ub4dor&3-never-told" } as const;

let clock: TestClock;
let service: TestService;
let group: StandInGroup;
beforeEach(async () => {
  clock = new TestClock();
  const watchFile = join(await mkdtemp(join(tmpdir(), "aglens-watch-")), "watch.json");
  await writeFile(
    watchFile,
    JSON.stringify({ logins: { sales: { ...LOGIN, password: { value: LOGIN.password } } } }),
  );
  const patience = { connectMs: 5_000, queryMs: 5_000, pollMs: 500, cancelMs: 200 };
  service = await testService({ watchFile }, undefined, { clock, patience });
  group = await startGroup({
    blocksPerSecond: 20,
    dispatchMs: 250,
    clock,
    login: LOGIN,
    secondaries: [{ commitMode: "sync" }, { commitMode: "async" }],
  });
});
afterEach(async () => {
  await clock.during(service.end());
  await group.close();
});

const post = (path: string, body: object) => request(service.app).post(`/api/v1/watches${path}`).send(body);

/** Values of series by their names and labels. */
async function metrics(): Promise<Map<string, number>> {
  const { text } = await request(service.app).get("/metrics").expect(200);
  const lines = text.split("\n").filter((line) => line.startsWith("aglens_"));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}

async function until(is: (found: Map<string, number>) => boolean): Promise<Map<string, number>> {
  const end = performance.now() + WAIT_MS;
  for (;;) {
    const found = await metrics();
    if (is(found)) return found;
    if (performance.now() > end) throw new Error(`It never came to that: ${JSON.stringify([...found])}`);
    await clock.pass(1_000, 50);
  }
}

const state = (name: string): string => `aglens_watch_state{group="TestAG",state="${name}"}`;
const counted = (name: string, rule: string): string =>
  `aglens_watch_${name}_total{group="TestAG",rule="${rule}"}`;
const queue = (replica: string): string => `aglens_send_queue_bytes{group="TestAG",replica="${replica}"}`;

test("a watch shows its polls, its state, its recordings and its refusals", async () => {
  const usual = definitionOf([{ host: "x" }]);
  const definition = definitionOf(
    group.replicas.map((replica) => attach(replica).server),
    {
      group: "TestAG",
      triggers: { ...usual.triggers, commitDelay: { overMs: 500, forSeconds: 60 }, http: true },
      // A slow run must still find it recording when its first commits are counted.
      recording: { ...usual.recording, quietSeconds: 60 },
    },
  );
  const { id } = Watch.parse((await post("", definition).expect(201)).body);
  const polled = await until((found) => found.has(queue("SQL2")) && found.has(queue("SQL3")));
  expect(polled.get(state("watching"))).toBe(1);
  expect(polled.get(state("recording"))).toBe(0);
  expect(polled.get('aglens_watch_commit_delay_limit_seconds{group="TestAG"}')).toBe(0.5);
  expect(polled.get('aglens_synchronized{group="TestAG",replica="SQL2"}')).toBe(1);
  expect(polled.has('aglens_synchronized{group="TestAG",replica="SQL3"}')).toBe(false);
  expect(
    [counted("recordings", "hand"), counted("refusals", "http")].map((name) => polled.get(name)),
  ).toEqual([0, 0]);
  expect([...polled.keys()].filter((name) => name.startsWith("aglens_commit_seconds"))).toEqual([]);
  // Polls begin only after the first one, and are 5 s apart.
  const polls = (found: Map<string, number>): number =>
    found.get('aglens_watch_polls_total{group="TestAG"}') ?? Number.NaN;
  const before = polls(polled);
  await clock.pass(30_000, 50);
  expect(polls(await metrics()) - before).toBe(6);

  await post(`/${id}/record`, { rule: "hand" }).expect(201);
  const commits = 'aglens_commit_seconds_count{group="TestAG",replica="SQL1"}';
  const recording = await until((found) => (found.get(commits) ?? 0) > 0);
  expect([recording.get(state("recording")), recording.get(counted("recordings", "hand"))]).toEqual([1, 1]);
  await until((found) => found.get(state("watching")) === 1);
  await post(`/${id}/record`, { rule: "http" }).expect(201);
  expect((await metrics()).get(counted("refusals", "http"))).toBe(1);

  await clock.during(
    post(`/${id}/pause`, { isPaused: true })
      .expect(200)
      .then(() => {}),
  );
  const paused = await metrics();
  expect([paused.get(state("paused")), paused.get(state("watching"))]).toEqual([1, 0]);
  expect(paused.has(queue("SQL2"))).toBe(false);
  expect(paused.get(counted("recordings", "hand"))).toBe(1);
  await clock.during(
    request(service.app)
      .delete(`/api/v1/watches/${id}`)
      .expect(204)
      .then(() => {}),
  );
  await clock.pass(61_000, 1_000);
  expect([...(await metrics()).keys()].filter((name) => name.includes("TestAG"))).toEqual([]);
});

test("a primary that can't be polled counts, and its figures have no series", async () => {
  const definition = definitionOf([attach(group.replicas[0]!).server], { group: "TestAG" });
  await post("", definition).expect(201);
  await until((found) => found.has('aglens_commit_delay_seconds{group="TestAG"}'));
  await group.close();
  const problems = 'aglens_watch_problems_total{group="TestAG"}';
  const gone = await until((found) => (found.get(problems) ?? 0) > 3);
  expect(gone.get(state("unreachable"))).toBe(1);
  expect(gone.has('aglens_commit_delay_seconds{group="TestAG"}')).toBe(false);
});
