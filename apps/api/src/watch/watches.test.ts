import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import request from "supertest";
import { Watch, WatchEpisodes, WatchSeries } from "@aglens/contract";
import type { WatchEpisode } from "@aglens/contract";
import { TestClock } from "@aglens/fixtures/clock";
import { WAIT_MS } from "@aglens/fixtures/patience";
import { startGroup } from "@aglens/fixtures/replica-standin";
import type { GroupOptions, StandInGroup } from "@aglens/fixtures/replica-standin";
import { afterEach, beforeEach, expect, test } from "vitest";
import { attach } from "../../test/live-run.ts";
import { testService } from "../../test/service.ts";
import type { TestService } from "../../test/service.ts";
import { definitionOf } from "../../test/watch.ts";
import { hookServer } from "../../test/watch-message.ts";

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

const password = (value: string, receivers: object = {}): Promise<void> =>
  writeFile(watchFile, JSON.stringify({ logins: { sales: { ...LOGIN, password: { value } } }, receivers }));

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
  readonly receivers?: readonly string[];
}

async function watch(
  group: StandInGroup,
  name = "TestAG",
  { triggers = {}, recording = {}, receivers = [] }: Rules = {},
): Promise<string> {
  const usual = definitionOf([{ host: "x" }]);
  const body = definitionOf(
    group.replicas.map((replica) => attach(replica).server),
    {
      group: name,
      triggers: { ...usual.triggers, ...triggers },
      recording: { ...usual.recording, ...recording },
      receivers,
    },
  );
  return Watch.parse((await post("", body).expect(201)).body).id;
}

/** Moves the clock until it is so. */
async function until<T>(look: () => Promise<T>, is: (found: T) => boolean, stepMs = 1_000): Promise<T> {
  const end = performance.now() + WAIT_MS;
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
  expect(cost?.bytes).toBeGreaterThan(100_000);
  // The stand-in uses a millisecond of CPU time per second.
  expect(cost?.cpuSeconds).toBeGreaterThan(3);
  expect(cost?.cpuSeconds).toBeLessThan(5.5);
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

test("a wrong password is tried once, and again when the file has another one or a person asks", async () => {
  await password("wrong");
  const group = await groupOf({ secondaries: 0 });
  const id = await watch(group);
  const refused = await untilState(id, "cannotSignIn");
  expect(refused.replicas[0]).toMatchObject({ tries: 1, retryIn: null, polled: null });
  expect(refused.replicas[0]?.problem).toMatchObject({ code: "live-login-refused" });
  expect(refused.replicas[0]?.problem?.detail).toContain("18456");
  await clock.pass(5 * MINUTE_MS, 1_000);
  expect((await watchNow(id)).replicas[0]?.tries).toBe(1);
  const { body } = await post(`/${id}/check`, { replica: 0 }).expect(200);
  expect(body).toMatchObject({ maySignIn: false, problem: { code: "live-login-refused" } });
  await until(
    () => watchNow(id),
    ({ replicas }) => replicas[0]?.tries === 2,
  );
  await password(LOGIN.password);
  const mended = await until(
    () => watchNow(id),
    ({ state, replicas }) => state === "watching" && replicas[0]?.tries === 0,
  );
  expect(mended.replicas[0]?.problem).toBeNull();
}, 60_000);

test("a recording that AG Lens did not end is a recorded episode after the restart", async () => {
  const group = await groupOf();
  const id = await watch(group);
  await until(() => watchNow(id), isPolled);
  const { body } = await post(`/${id}/record`, { rule: "hand" }).expect(201);
  expect(body).toMatchObject({ state: "recording", trigger: { rule: "hand" } });
  await until(
    () => episodesOf(id),
    ([found]) => found?.steps[1]?.text === "Event sessions run on SQL1, SQL2",
  );
  await clock.pass(20_000, 50);
  await restart();
  const [episode] = await until(
    () => episodesOf(id),
    ([found]) => found?.state === "recorded",
  );
  expect(episode?.steps.map(({ text }) => text)).toContain("AG Lens ended during the recording.");
  expect(episode?.verdict).toMatch(/\S/u);
  expect(group.replicas.flatMap((replica) => replica.sessions())).toEqual([]);
}, 60_000);

test("a pause ends the recording and the polls, and the watch continues when it is resumed", async () => {
  const group = await groupOf();
  const id = await watch(group, "TestAG", { triggers: { http: true } });
  await until(() => watchNow(id), isPolled);
  await post(`/${id}/record`, { rule: "http" }).expect(201);
  await until(
    () => episodesOf(id),
    ([found]) => found?.steps.length === 2,
  );
  await clock.pass(10_000, 50);
  // Another request during it is a step of it.
  const again = await post(`/${id}/record`, { rule: "http" }).expect(201);
  expect(again.body.steps.at(-1)).toMatchObject({ text: "Also: Begun by HTTP" });
  await clock.during(
    post(`/${id}/pause`, { isPaused: true })
      .expect(200)
      .then((answer) => answer),
  );
  expect(await watchNow(id)).toMatchObject({
    state: "paused",
    replicas: [{ role: "primary", serverName: "SQL1" }, {}],
  });
  expect(group.replicas.flatMap((replica) => replica.sessions())).toEqual([]);
  const sent = group.replicas[0]?.statements().length;
  await clock.pass(30_000, 250);
  expect(group.replicas[0]?.statements().length).toBe(sent);
  await post(`/${id}/pause`, { isPaused: false }).expect(200);
  const [episode] = await until(
    () => episodesOf(id),
    ([found]) => found?.state === "recorded",
  );
  expect(episode?.steps.some(({ text }) => text.startsWith("The watch was paused: stopped"))).toBe(true);
  await untilState(id, "watching");
}, 60_000);

test("a failover and a schedule are recorded with their reason", async () => {
  const group = await groupOf({ secondaries: 2 });
  // The clock begins at 02:44:00.
  const schedules = [{ cron: "50 2 * * *", forSeconds: 30 }];
  const recording = { quietSeconds: 10, mostSeconds: 60, holdOffSeconds: 0 };
  const id = await watch(group, "TestAG", { triggers: { state: true, schedules }, recording });
  await until(() => watchNow(id), isPolled);
  await clock.pass(15_000, 50);
  expect((await watchNow(id)).nextSchedule).toEqual({ at: "2026-11-21T02:50:00.000Z", forSeconds: 30 });
  const recordedAs = (rule: WatchEpisode["trigger"]["rule"]) =>
    until(
      () => episodesOf(id),
      ([found]) => found?.state === "recorded" && found.trigger.rule === rule,
    );

  group.failover(1);
  const [failover] = await recordedAs("state");
  expect(failover?.trigger.text).toBe("Failover from SQL1 to SQL2");
  const [scheduled] = await recordedAs("schedule");
  expect(scheduled?.trigger).toMatchObject({ at: "2026-11-21T02:50:00.000Z", text: "Schedule 50 2 * * *" });
  expect(scheduled?.steps.at(-2)?.text).toBe("Recorded for 30 s: stopped, event sessions dropped");
  const found = await watchNow(id);
  expect(found).toMatchObject({ missedSchedules: [], nextSchedule: { at: "2026-11-22T02:50:00.000Z" } });
  expect(found.replicas.map(({ role }) => role)).toEqual(["secondary", "primary", "secondary"]);
}, 120_000);

test("a schedule that fires in a recording is recorded to its end, and isn't missed", async () => {
  const group = await groupOf();
  const recording = { quietSeconds: 30, mostSeconds: 60, holdOffSeconds: 0 };
  const triggers = { schedules: [{ cron: "46 2 * * *", forSeconds: 60 }] };
  const id = await watch(group, "TestAG", { triggers, recording });
  await until(() => watchNow(id), isPolled);
  const fiveBefore = Date.parse("2026-11-21T02:45:55Z");
  await clock.pass(fiveBefore - clock.now(), 250);
  await post(`/${id}/record`, { rule: "hand" }).expect(201);
  const [episode, ...others] = await until(
    () => episodesOf(id),
    ([found]) => found?.state === "recorded",
  );
  expect(others).toEqual([]);
  expect(episode?.trigger.rule).toBe("hand");
  expect(episode?.steps.map(({ text }) => text)).toContain("Also: Schedule 46 2 * * *");
  expect(episode?.ended?.slice(0, 16)).toBe("2026-11-21T02:47");
  await clock.pass(MINUTE_MS, 250);
  expect((await watchNow(id)).missedSchedules).toEqual([]);
}, 60_000);

test("a watch that was deleted is not polled, and nothing of it is kept", async () => {
  const group = await groupOf({ secondaries: 0 });
  const id = await watch(group);
  await until(() => watchNow(id), isPolled);
  await clock.pass(MINUTE_MS, 250);
  await clock.during(
    request(service.app)
      .delete(`/api/v1/watches/${id}`)
      .expect(204)
      .then(() => {}),
  );
  const sent = group.replicas[0]?.statements().length;
  await clock.pass(2 * MINUTE_MS, 1_000);
  expect(group.replicas[0]?.statements().length).toBe(sent);
  await restart();
  expect(await get("")).toMatchObject({ watches: [] });
});

test("a change keeps the polls, and polls the other replicas", async () => {
  const group = await groupOf({ secondaries: 0 });
  const other = await groupOf({
    secondaries: 0,
    names: { servers: ["CRM1"], group: "TestAG", databases: ["Crm"] },
  });
  const id = await watch(group);
  await until(() => watchNow(id), isPolled);
  await clock.pass(2 * MINUTE_MS, 250);
  const { body } = await clock.during(
    post(`/${id}`, definitionOf([attach(other.replicas[0] as never).server], { group: "TestAG" }))
      .expect(200)
      .then((answer) => answer),
  );
  expect(body.replicas).toMatchObject([{ serverName: "" }]);
  const changed = await until(() => watchNow(id), isPolled);
  expect(changed.replicas[0]?.serverName).toBe("CRM1");
  const range = `from=${clock.now() - 4 * MINUTE_MS}&to=${clock.now()}&bins=4`;
  const { polled } = WatchSeries.parse(await get(`/${id}/series?${range}`));
  expect(Math.max(...polled)).toBeGreaterThan(0.9);
});

test("a login without the right to read waits says which GRANT it needs", async () => {
  const group = await groupOf({
    secondaries: 0,
    deny: ["VIEW SERVER STATE", "VIEW SERVER PERFORMANCE STATE"],
  });
  const id = await watch(group);
  const { replicas } = await untilState(id, "cannotSignIn");
  expect(replicas[0]?.problem).toMatchObject({ code: "live-permission" });
  expect(replicas[0]?.problem?.sql).toMatch(/^USE master; GRANT VIEW SERVER .*STATE TO \[lens\];$/u);
});

test("a file without the login stops the watch only, and says what is missing", async () => {
  const group = await groupOf({ secondaries: 0 });
  const id = await watch(group);
  await until(() => watchNow(id), isPolled);
  await writeFile(watchFile, JSON.stringify({ logins: {} }));
  await restart();
  const { replicas } = await untilState(id, "notStarted");
  expect(replicas[0]?.problem?.detail).toBe('The file of AGLENS_WATCH_FILE has no login "sales".');
  await password(LOGIN.password);
  await untilState(id, "watching");
});

test("people get one message at the start and one at the end, also over a restart", async () => {
  await using hook = await hookServer();
  await password(LOGIN.password, { tickets: { kind: "webhook", url: { value: hook.url } } });
  const told = (): string[] =>
    hook.requests.map(({ body }) => {
      const { kind, polls } = JSON.parse(body) as { kind: string; polls: { server: string } | null };
      return polls === null ? kind : `${kind} ${polls.server}`;
    });
  const group = await groupOf();
  const id = await watch(group, "TestAG", { triggers: { http: true }, receivers: ["tickets"] });
  await until(() => watchNow(id), isPolled);
  await post(`/${id}/record`, { rule: "http" }).expect(201);
  await until(
    () => Promise.resolve(told()),
    (found) => found.length === 1,
  );
  await clock.pass(10_000, 50);
  await restart();
  await until(
    () => Promise.resolve(told()),
    (found) => found.length === 2,
  );
  expect(told()).toEqual(["start", "end"]);
  const [episode] = await episodesOf(id);
  expect(episode?.steps.filter(({ text }) => text.includes('"tickets"'))).toHaveLength(2);

  // A server that is gone for some seconds is no reason for a message.
  await until(() => watchNow(id), isPolled);
  group.replicas[1]?.fault({ kind: "down", seconds: 20 });
  await clock.pass(40_000, 250);
  expect(told()).toHaveLength(2);
  group.replicas[1]?.fault({ kind: "down", seconds: 3_600 });
  await until(
    () => Promise.resolve(told()),
    (found) => found.length === 3,
  );
  await restart();
  await clock.pass(3 * MINUTE_MS, 250);
  group.replicas[1]?.fault({ kind: "up" });
  await until(
    () => Promise.resolve(told()),
    (found) => found.length === 4,
  );
  expect(told().slice(2)).toEqual(["broken SQL2", "mended SQL2"]);
}, 120_000);

test("a failover while AG Lens was ended is a trigger after its start", async () => {
  const group = await groupOf();
  const id = await watch(group, "TestAG", { triggers: { state: true } });
  await until(() => watchNow(id), isPolled);
  await clock.pass(15_000, 50);
  await clock.during(service.close());
  group.failover(1);
  await clock.pass(10_000, 50);
  await open();
  const [episode] = await until(
    () => episodesOf(id),
    (found) => found.length > 0,
  );
  expect(episode?.trigger.text).toBe("Failover from SQL1 to SQL2");
}, 60_000);
