import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { WatchDefinition, type WatchRecording } from "@aglens/contract";
import { TestClock } from "@aglens/fixtures/clock";
import { startGroup } from "@aglens/fixtures/replica-standin";
import type { GroupOptions, StandInGroup } from "@aglens/fixtures/replica-standin";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { attach } from "../../test/live-run.ts";
import { testService } from "../../test/service.ts";
import type { TestService } from "../../test/service.ts";
import { Live } from "../live/live.ts";
import { readAllowList } from "../live/server/allow-list.ts";
import { notesInFile } from "../live/server/left-notes.ts";
import type { ServerTopology } from "../live/server/topology.ts";
import { LiveRecorder } from "./recording.ts";

/** Adds groups to a server's topology. */
const withOthers = vi.hoisted(() => ({ change: (own: ServerTopology): ServerTopology => own }));
vi.mock("../live/server/topology.ts", async (importOriginal) => {
  const original = await importOriginal<typeof import("../live/server/topology.ts")>();
  return {
    ...original,
    askTopology: async (...given: Parameters<typeof original.askTopology>) =>
      withOthers.change(await original.askTopology(...given)),
  };
});

const patience = { connectMs: 5_000, queryMs: 5_000, pollMs: 500, cancelMs: 200 };
const login = { kind: "sql", user: "lens", password: "Tr0ub4dor&3-never-told" } as const;

let clock: TestClock;
let service: TestService;
let directory: string;
let live: Live;
let group: StandInGroup;
const recorders: LiveRecorder[] = [];
beforeEach(async () => {
  clock = new TestClock();
  directory = await mkdtemp(join(tmpdir(), "aglens-recording-"));
  service = await testService({}, undefined, { clock, patience });
  live = openLive();
});
afterEach(async () => {
  withOthers.change = (own) => own;
  await clock.during(Promise.all(recorders.splice(0).map((each) => each.close())).then(() => live.close()));
  await clock.during(service.end());
  await group.close();
  await rm(directory, { recursive: true, force: true });
});

function openLive(): Live {
  return new Live({
    allowList: readAllowList(service.config),
    captures: service.captures,
    directory,
    keepBytes: 50_000_000,
    memoryBytes: 50_000_000,
    expectRoom: () => Promise.resolve(),
    log: pino({ level: "silent" }),
    clock,
    patience,
    leftNotes: notesInFile(join(directory, "left.json")),
    among: null,
    mostPerPerson: 2,
  });
}

async function recorderOf(
  recording: Partial<WatchRecording>,
  options: GroupOptions = {},
  name = "SALES-AG",
): Promise<{ recorder: LiveRecorder; problems: string[] }> {
  group = await startGroup({ blocksPerSecond: 20, dispatchMs: 250, clock, login, ...options });
  const definition = WatchDefinition.parse({
    group: name,
    replicas: group.replicas.map((replica) => ({ server: attach(replica).server })),
    login: "sales",
    triggers: {
      commitDelay: null,
      timesUsual: null,
      queue: null,
      state: false,
      schedules: [],
      http: false,
    },
    recording: {
      quietSeconds: 60,
      mostSeconds: 600,
      ringSeconds: null,
      mostPerDay: 6,
      mostPerWeek: 20,
      mostBytesPerWeek: 2e9,
      holdOffSeconds: 900,
      keepDays: 7,
      withoutCommits: false,
      ...recording,
    },
    receivers: [],
  });
  const problems: string[] = [];
  const recorder = new LiveRecorder({
    live,
    captures: service.captures,
    clock,
    definition,
    owner: undefined,
    login: () => Promise.resolve(login),
    onProblem: (sentence) => problems.push(sentence),
  });
  recorders.push(recorder);
  return { recorder, problems };
}

const sessions = (): string[] =>
  group.replicas.flatMap((replica) => replica.sessions().map(({ name }) => name));

/** Seconds between the first and the last event of a recording. */
const lengthOf = ({ from, to }: { from: string | null; to: string | null }): number =>
  (Date.parse(to ?? "") - Date.parse(from ?? "")) / 1_000;

test("from a trigger on all replicas, a capture with tag, verdict and its own days; no session is left", async () => {
  const { recorder } = await recorderOf({});
  recorder.arm();
  await clock.pass(5_000);
  expect(sessions()).toEqual([]);
  const begun = await clock.during(recorder.begin("trigger"));
  expect(begun).toMatchObject({ recordedOn: ["SQL1", "SQL2"], problems: [] });
  expect(sessions()).toHaveLength(2);
  // No page is open: a run of a person would have ended after a minute.
  await clock.pass(90_000);
  const id = await clock.during(recorder.end());
  expect(id).toBe(begun.captureId);
  expect(sessions()).toEqual([]);
  const recorded = await clock.during(recorder.verdictOf(begun.captureId));
  expect(recorded?.problem).toBeNull();
  expect(recorded?.verdict).toMatch(/\S/u);
  expect(recorded?.p95Us).toBeGreaterThan(0);
  expect(recorded?.bytes).toBeGreaterThan(0);
  expect(lengthOf(recorded as { from: string; to: string })).toBeGreaterThan(80);
  const { tags, expires, name, marks } = await service.captures.records.get(begun.captureId);
  expect({ tags, name }).toEqual({ tags: ["watch"], name: "SALES-AG" });
  expect(marks).toMatchObject([{ label: "trigger", byRule: true }]);
  expect(Math.round((Date.parse(expires ?? "") - clock.now()) / 86_400_000)).toBe(7);
});

test("a ring has the seconds before the trigger, writes nothing before it, and begins again", async () => {
  const { recorder } = await recorderOf({ ringSeconds: 10 });
  recorder.arm();
  await clock.during(until(() => sessions().length === 2));
  await clock.pass(60_000);
  expect(recorder.isArmed).toBe(true);
  const files = await readdir(directory, { recursive: true });
  expect(files.filter((file) => file.endsWith(".xel"))).toEqual([]);
  const triggeredAt = clock.now();
  const { captureId } = await clock.during(recorder.begin("trigger"));
  await clock.pass(20_000);
  await clock.during(recorder.end());
  const recorded = await clock.during(recorder.verdictOf(captureId));
  const before = (triggeredAt - Date.parse(recorded?.from ?? "")) / 1_000;
  expect(before).toBeGreaterThan(8);
  // Buffers that arrive in the ring's time have events from before it.
  expect(before).toBeLessThan(13);
  await clock.during(until(() => sessions().length === 2));
  expect(recorder.isArmed).toBe(true);
  await clock.during(recorder.close());
  expect(sessions()).toEqual([]);
});

test("a replica that does not answer is told, the others are recorded", async () => {
  const { recorder } = await recorderOf({}, { secondaries: 2 });
  await group.replicas[2]?.close();
  const begun = await clock.during(recorder.begin("trigger"));
  expect(begun.recordedOn).toEqual(["SQL1", "SQL2"]);
  expect(begun.problems).toHaveLength(1);
  await clock.pass(5_000);
  expect(await clock.during(recorder.end())).toBe(begun.captureId);
});

test("of two groups with opposite primaries the watched one is recorded, also with a ring", async () => {
  // Both servers are also in AG1, which is first in their answers: there SQL1 is the primary.
  withOthers.change = (own) => ({
    ...own,
    replicas: [
      ...own.replicas.map((replica) => ({
        ...replica,
        replicaId: `ag1-${replica.serverName}`,
        group: "AG1",
        role: replica.serverName === "SQL1" ? ("primary" as const) : ("secondary" as const),
      })),
      ...own.replicas,
    ],
  });
  for (const ringSeconds of [null, 10]) {
    const { recorder } = await recorderOf({ ringSeconds }, {}, "TestAG");
    group.failover(1);
    await clock.pass(5_000);
    recorder.arm();
    const { captureId } = await clock.during(recorder.begin("trigger"));
    await clock.pass(20_000);
    expect(new Set(live.histograms.read().map((series) => series.group))).toEqual(new Set(["TestAG"]));
    await clock.during(recorder.end());
    const { files } = await service.captures.records.get(captureId);
    const roles = files.flatMap(({ kind, replica, role }) => (kind === "xel" ? [[replica, role]] : []));
    expect(new Map(roles as [string, string][])).toEqual(
      new Map([
        ["SQL1", "secondary"],
        ["SQL2", "primary"],
      ]),
    );
    await clock.during(recorder.close());
    if (ringSeconds === null) await group.close();
  }
});

test("a recording that a dying process left is the capture that was named when it began", async () => {
  const { recorder } = await recorderOf({});
  const { captureId } = await clock.during(recorder.begin("trigger"));
  await clock.pass(10_000);
  await clock.during(recorder.close());
  await clock.during(live.close());
  live = openLive();
  await clock.during(live.recover().then(() => live.recovered));
  const { tags } = await service.captures.records.get(captureId);
  expect(tags).toEqual(["watch"]);
});

async function until(is: () => boolean): Promise<void> {
  for (let tries = 0; tries < 2_000 && !is(); tries++) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(is()).toBe(true);
}
