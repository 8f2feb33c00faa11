import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Watch, WatchEpisodes } from "@aglens/contract";
import type { WatchEpisode } from "@aglens/contract";
import { createRandom } from "@aglens/fixtures/random";
import { startGroup } from "@aglens/fixtures/replica-standin";
import type { StandInGroup } from "@aglens/fixtures/replica-standin";
import { afterEach, beforeEach, expect, test } from "vitest";
import { freePort } from "../../test/free-port.ts";
import { attach } from "../../test/live-run.ts";
import { isOver, toldTo, watchFileOf } from "../../test/night.ts";
import { startProcess } from "../../test/process.ts";
import type { ApiProcess } from "../../test/process.ts";
import { until } from "../../test/until.ts";
import { definitionOf } from "../../test/watch.ts";
import { hookServer } from "../../test/watch-message.ts";
import type { Hook } from "../../test/watch-message.ts";

/** Moments of the kills. */
const random = createRandom(39);

let directory: string;
let group: StandInGroup;
let hook: Hook;
let port: number;
let server: ApiProcess;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "aglens-watch-kills-"));
  group = await startGroup({ blocksPerSecond: 20 });
  hook = await hookServer();
  const { user, password } = group.replicas[0] ?? { user: "", password: "" };
  const login = { kind: "sql", user, password: { value: password } };
  await writeFile(join(directory, "watch.json"), watchFileOf(login, hook, null));
  port = await freePort();
  await begin();
});
afterEach(async () => {
  await server.kill("SIGKILL");
  await group.close();
  await hook[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

async function begin(): Promise<void> {
  server = startProcess(directory, port, { AGLENS_WATCH_FILE: join(directory, "watch.json") });
  await server.address;
}

const base = (): string => `http://localhost:${port}/api/v1/watches`;
const get = async (path: string): Promise<unknown> => (await fetch(`${base()}${path}`)).json();
const watchNow = async (id: string): Promise<Watch> => Watch.parse(await get(`/${id}`));
const episodesOf = async (id: string): Promise<WatchEpisode[]> =>
  WatchEpisodes.parse(await get(`/${id}/episodes`)).episodes;
const sessions = (): string[] =>
  group.replicas.flatMap((replica) => replica.sessions().map(({ name }) => name));

async function watchGroup(): Promise<string> {
  const servers = group.replicas.map((replica) => attach(replica).server);
  const usual = definitionOf(servers, { group: "TestAG", everySeconds: 1, receivers: ["tickets"] });
  const answer = await fetch(base(), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      ...usual,
      triggers: { ...usual.triggers, commitDelay: { overMs: 30, forSeconds: 2 } },
      recording: { ...usual.recording, quietSeconds: 5, mostSeconds: 60, holdOffSeconds: 0 },
    }),
  });
  expect(answer.status).toBe(201);
  return Watch.parse(await answer.json()).id;
}

const untilPolled = (id: string): Promise<void> =>
  until(async () => {
    const { state, replicas } = await watchNow(id);
    return state === "watching" && replicas.every(({ polled }) => polled !== null);
  });

/** A slow log write on the secondary, until the newest episode is so. */
async function slowUntil(id: string, is: (episode: WatchEpisode) => boolean): Promise<void> {
  const before = (await episodesOf(id)).length;
  group.logWrite(1, 60);
  await until(async () => {
    const episodes = await episodesOf(id);
    return episodes.length > before && episodes.slice(0, 1).some(is);
  });
}

const isRecorded = ({ steps }: WatchEpisode): boolean =>
  steps.some(({ text }) => text.startsWith("Event sessions run on SQL1, SQL2"));

/**
 * Kills AG Lens, begins it again, and waits until all is in order.
 * @param episodes so many in all @param begun so many with a message at their begin
 */
async function killAndBegin(id: string, episodes: number, begun = episodes): Promise<WatchEpisode[]> {
  await server.kill("SIGKILL");
  group.logWrite(1, 0);
  await begin();
  await untilPolled(id);
  await until(async () => (await episodesOf(id)).every(isOver));
  await until(() => sessions().length === 0);
  await until(() => toldTo(hook).length >= episodes + begun);
  const told = toldTo(hook);
  expect(told.filter(({ kind }) => kind === "start")).toHaveLength(begun);
  expect(told.filter(({ kind }) => kind === "end")).toHaveLength(episodes);
  expect(new Set(told.map((message) => message.id)).size).toBe(told.length);
  const found = await episodesOf(id);
  expect(found).toHaveLength(episodes);
  return found;
}

test("killed while it polls, while it records, and before a message: all is found, told once, and no session stays", async () => {
  const id = await watchGroup();
  await untilPolled(id);
  await sleep(random.between(0, 1_000));
  await killAndBegin(id, 0);

  await slowUntil(id, isRecorded);
  await sleep(random.between(1_500, 3_000));
  expect(sessions()).toHaveLength(2);
  const [recorded] = await killAndBegin(id, 1);
  expect(recorded).toMatchObject({ state: "recorded", captureId: expect.any(String) });
  expect(recorded?.steps.map(({ text }) => text)).toContain("AG Lens ended during the recording.");

  await slowUntil(id, isRecorded);
  await sleep(2_000);
  group.logWrite(1, 0);
  await until(async () => (await episodesOf(id))[0]?.state === "analyzing");
  await sleep(random.between(0, 500));
  const [analyzed] = await killAndBegin(id, 2);
  expect(analyzed).toMatchObject({ state: "recorded", captureId: expect.any(String) });

  // The session is created after AG Lens was killed.
  const { promise: created, resolve } = Promise.withResolvers<void>();
  group.replicas[1]?.onStatement((sql) => {
    if (!sql.startsWith("CREATE EVENT SESSION")) return;
    server.process.kill("SIGKILL");
    resolve();
  });
  group.logWrite(1, 60);
  await created;
  const [lost] = await killAndBegin(id, 3, 2);
  expect(lost).toMatchObject({ state: "lost" });
});
