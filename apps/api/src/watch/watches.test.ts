import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import request from "supertest";
import { Watch, WatchEpisodes, WatchSeries } from "@aglens/contract";
import type { WatchEpisode } from "@aglens/contract";
import { TestClock } from "@aglens/fixtures/clock";
import { waitMs } from "@aglens/fixtures/patience";
import { startGroup } from "@aglens/fixtures/replica-standin";
import type { GroupOptions, StandInGroup } from "@aglens/fixtures/replica-standin";
import { afterEach, beforeEach, expect, test } from "vitest";
import { attach } from "../../test/live-run.ts";
import { testService } from "../../test/service.ts";
import type { TestService } from "../../test/service.ts";
import { definitionOf } from "../../test/watch.ts";

const PATIENCE = { connectMs: 5_000, queryMs: 5_000, pollMs: 500, cancelMs: 200 };
const LOGIN = { kind: "sql", user: "lens", password: "Tr0ub4dor&3-never-told" } as const;
const MINUTE_MS = 60_000;
const DELAYED = { commitDelay: { overMs: 15, forSeconds: 15 } };

let clock: TestClock;
let dataDirectory: string;
let watchFile: string;
let service: TestService;
const groups: StandInGroup[] = [];
beforeEach(async () => {
  clock = new TestClock();
  dataDirectory = await mkdtemp(join(tmpdir(), "aglens-watches-"));
  watchFile = join(dataDirectory, "watch.json");
  await password(LOGIN.password);
  await open();
});
afterEach(async () => {
  await clock.during(service.end());
  for (const group of groups.splice(0)) await group.close();
  await rm(dataDirectory, { recursive: true, force: true });
});

const password = (value: string): Promise<void> =>
  writeFile(watchFile, JSON.stringify({ logins: { sales: { ...LOGIN, password: { value } } } }));

async function open(): Promise<void> {
  service = await testService({ dataDirectory, watchFile }, undefined, { clock, patience: PATIENCE });
}

async function restart(): Promise<void> {
  await clock.during(service.close());
  await open();
}

async function groupOf(options: GroupOptions = {}): Promise<StandInGroup> {
  const group = await startGroup({ blocksPerSecond: 20, dispatchMs: 250, clock, login: LOGIN, ...options });
  groups.push(group);
  return group;
}

const post = (path: string, body: object) => request(service.app).post(`/api/v1/watches${path}`).send(body);
const get = async (path: string): Promise<unknown> =>
  (await request(service.app).get(`/api/v1/watches${path}`).expect(200)).body;
const watchNow = async (id: string): Promise<Watch> => Watch.parse(await get(`/${id}`));
const episodesOf = async (id: string): Promise<WatchEpisode[]> =>
  WatchEpisodes.parse(await get(`/${id}/episodes`)).episodes;

/** Triggers that are on, and limits of recordings, of a watch. */
interface Rules {
  readonly triggers?: object;
  readonly recording?: object;
}

async function watch(
  group: StandInGroup,
  name = "TestAG",
  { triggers = {}, recording = {} }: Rules = {},
): Promise<string> {
  const usual = definitionOf([{ host: "x" }]);
  const body = definitionOf(
    group.replicas.map((replica) => attach(replica).server),
    {
      group: name,
      triggers: { ...usual.triggers, ...triggers },
      recording: { ...usual.recording, ...recording },
    },
  );
  return Watch.parse((await post("", body).expect(201)).body).id;
}

/** Moves the clock until it is so. */
async function until<T>(look: () => Promise<T>, is: (found: T) => boolean, stepMs = 1_000): Promise<T> {
  const end = performance.now() + waitMs();
  for (;;) {
    const found = await look();
    if (is(found)) return found;
    if (performance.now() > end) throw new Error(`It never came to that: ${JSON.stringify(found)}`);
    await clock.pass(stepMs, 50);
  }
}
const untilState = (id: string, state: Watch["state"]): Promise<Watch> =>
  until(
    () => watchNow(id),
    (found) => found.state === state,
  );
const isPolled = ({ replicas }: Watch): boolean => replicas.every(({ polled }) => polled !== null);

test("two watches poll the replicas of two groups, and keep the minutes over a restart", async () => {
  const sales = await groupOf({ secondaries: [{ commitMode: "sync" }, { commitMode: "async" }] });
  const names = { servers: ["CRM1", "CRM2"], group: "CRM-AG", databases: ["Crm"] };
  const crm = await groupOf({ names });
  const ids = [await watch(sales), await watch(crm, "CRM-AG")] as const;
  const [first, second] = [
    await until(() => watchNow(ids[0]), isPolled),
    await until(() => watchNow(ids[1]), isPolled),
  ];
  expect(first.state).toBe("watching");
  expect(first.replicas.map(({ serverName, role, commitMode }) => [serverName, role, commitMode])).toEqual([
    ["SQL1", "primary", "sync"],
    ["SQL2", "secondary", "sync"],
    ["SQL3", "secondary", "async"],
  ]);
  expect(second.definition.replicas.map(({ serverName }) => serverName)).toEqual(["CRM1", "CRM2"]);
  await clock.pass(3 * MINUTE_MS, 250);
  expect((await watchNow(ids[0])).replicas.map(({ synchronization }) => synchronization)).toEqual([
    "SYNCHRONIZED",
    "SYNCHRONIZED",
    "SYNCHRONIZING",
  ]);
  // A poll every 5 s.
  const { cost } = (await watchNow(ids[0])).replicas[0] ?? {};
  expect(cost?.polls).toBeGreaterThan(650);
  expect(cost?.polls).toBeLessThan(750);
  await restart();
  const range = `from=${clock.now() - 4 * MINUTE_MS}&to=${clock.now()}&bins=4`;
  const series = WatchSeries.parse(await get(`/${ids[0]}/series?${range}`));
  const delays = series.delay.filter((delay) => delay !== null);
  expect(delays.length).toBeGreaterThanOrEqual(3);
  expect(Math.max(...delays)).toBeLessThan(15);
  await until(
    () => watchNow(ids[1]),
    ({ state, replicas }) => state === "watching" && replicas.every(({ cost: known }) => known === null),
  );
}, 60_000);

test("a replica that goes away is tried again, told, and polled when it is back", async () => {
  const group = await groupOf();
  const id = await watch(group);
  await until(() => watchNow(id), isPolled);
  group.replicas[1]?.fault({ kind: "down", seconds: 600 });
  const gone = await untilState(id, "unreachable");
  expect(gone.replicas.map(({ problem }) => problem?.code ?? null)).toEqual([
    null,
    expect.stringMatching(/live-(?:connection-lost|unreachable)/u),
  ]);
  await clock.pass(3 * MINUTE_MS, 250);
  const later = (await watchNow(id)).replicas[1];
  expect(later?.problem?.detail).toContain("SQL2");
  // After 1, 2, 4, 8, 16 and 32 s, then once a minute.
  expect(later?.tries).toBeGreaterThanOrEqual(7);
  expect(later?.tries).toBeLessThanOrEqual(9);
  group.replicas[1]?.fault({ kind: "up" });
  await untilState(id, "watching");
}, 60_000);

test("a slow log disk of a secondary begins a recording, which ends when commits are quiet", async () => {
  const group = await groupOf();
  const recording = { quietSeconds: 20, mostSeconds: 300, holdOffSeconds: 900 };
  const id = await watch(group, "TestAG", { triggers: DELAYED, recording });
  await until(() => watchNow(id), isPolled);
  await clock.pass(MINUTE_MS, 250);
  expect(await episodesOf(id)).toEqual([]);

  group.logWrite(1, 40);
  const begun = clock.now();
  await untilState(id, "recording");
  // Over the limit for 15 s, at polls of 5 s.
  expect(clock.now() - begun).toBeLessThan(30_000);
  await clock.pass(20_000, 50);
  group.logWrite(1, 0);
  const [episode] = await until(
    () => episodesOf(id),
    ([found]) => found?.state === "recorded",
  );
  expect(episode?.trigger).toMatchObject({
    rule: "commitDelay",
    text: "Commit delay over 15\u00A0ms for 15\u00A0s",
    limit: 15,
  });
  expect(episode?.trigger.value).toBeGreaterThan(30);
  expect(episode).toMatchObject({ refusal: null, place: "secondary" });
  expect(episode?.verdict).toContain("SQL2");
  expect(episode?.p95Us).toBeGreaterThan(30_000);
  expect(episode?.steps.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^Trigger: /u),
    "Event sessions run on SQL1, SQL2",
    "Back under the limit",
    expect.stringMatching(/^Quiet for 2\d s: stopped, event sessions dropped$/u),
    "Analyzed, in Fleet",
  ]);
  expect(group.replicas.flatMap((replica) => replica.sessions())).toEqual([]);
  const found = await watchNow(id);
  expect(found.state).toBe("watching");
  expect(found.week).toMatchObject({ recordings: 1, refused: 0 });

  // The next one is in the hold-off.
  group.logWrite(1, 40);
  const [refused] = await until(
    () => episodesOf(id),
    ([first]) => first?.state === "refused",
  );
  expect(refused?.refusal).toMatch(
    /^Hold-off until \d\d:\d\d:\d\d UTC, 15\u00A0min after the last recording\.$/u,
  );
  expect(refused?.ended).toBeNull();
  group.logWrite(1, 0);
  await until(
    () => episodesOf(id),
    ([first]) => first?.ended !== null,
  );
  expect((await watchNow(id)).week).toMatchObject({ recordings: 1, refused: 1 });
}, 120_000);
