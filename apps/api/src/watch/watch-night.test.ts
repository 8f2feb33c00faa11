import { createRandom } from "@aglens/fixtures/random";
import { afterEach, expect, test } from "vitest";
import { Night } from "../../test/night.ts";
import type { NightOptions } from "../../test/night.ts";

const DELAYED = { commitDelay: { overMs: 15, forSeconds: 10 } };
const BRIEF = { quietSeconds: 10, mostSeconds: 300, holdOffSeconds: 180, keepDays: 7 };

let night: Night;
afterEach(() => night.end());

const begin = async (options: NightOptions): Promise<void> => {
  night = await Night.begin({ triggers: DELAYED, recording: BRIEF, ...options });
};

/** Something is slow for some seconds. */
async function slow(seconds: number, set: (ms: number) => void): Promise<void> {
  set(40);
  await night.clock.pass(seconds * 1_000, 50);
  set(0);
}
const slowLogWrite = (seconds: number, replica = 1): Promise<void> =>
  slow(seconds, (ms) => night.group.logWrite(replica, ms));

/** Event sessions run on both replicas. */
const untilRecording = async (): Promise<void> => {
  await night.until(
    () => night.episodes(),
    ([episode]) => episode?.steps[1]?.text === "Event sessions run on SQL1, SQL2",
  );
};

/** All that must be so after a fault, when AG Lens had its time. */
async function expectInOrder(count: number): Promise<void> {
  const episodes = await night.untilOver(count);
  expect(episodes).toHaveLength(count);
  expect(night.sessions()).toEqual([]);
  // Each episode is told once at its begin, and once at its end.
  const told = await night.until(
    async () => night.told(),
    (found) => found.length >= 2 * count,
  );
  expect(new Set(told.map(({ id }) => id)).size).toBe(told.length);
  expect(told.filter(({ kind }) => kind === "end")).toHaveLength(count);
}

test("a night: log write and network are recorded and named, the hold-off refuses, each message is sent once", async () => {
  await begin({ group: { secondaries: 2, blocksPerSecond: 10 }, recording: { ...BRIEF, ringSeconds: 20 } });
  await night.clock.pass(20_000, 50);
  expect(await night.episodes()).toEqual([]);

  await slowLogWrite(30, 2);
  const [first] = await night.untilOver(1);
  expect(first).toMatchObject({
    state: "recorded",
    place: "secondary",
    verdict: expect.stringMatching(/^The log write on SQL3 takes/u),
    trigger: { rule: "commitDelay", limit: 15 },
  });
  expect(first?.p95Us).toBeGreaterThan(30_000);
  // The ring has the time before the trigger.
  const before = Date.parse(first?.trigger.at ?? "") - Date.parse(first?.recordedFrom ?? "");
  expect(before).toBeGreaterThan(15_000);
  const { tags, name } = await night.service.captures.records.get(first?.captureId ?? "");
  expect({ tags, name }).toEqual({ tags: ["watch"], name: "TestAG" });

  await slowLogWrite(20, 2);
  const [second] = await night.untilOver(2);
  expect(second).toMatchObject({ state: "refused", captureId: null });
  expect(second?.refusal).toMatch(/^Hold-off until \d\d:\d\d:\d\d UTC, 3.min after the last recording\.$/u);

  await night.clock.pass(180_000, 250);
  await slow(30, (ms) => night.group.network(ms));
  const [third] = await night.untilOver(3);
  expect(third).toMatchObject({ state: "recorded", place: "network" });
  expect(third?.verdict).toMatch(/network/u);

  const told = await night.until(
    async () => night.told(),
    (found) => found.length >= 6,
  );
  expect(told.map(({ kind }) => kind)).toEqual(["start", "end", "refused", "end", "start", "end"]);
  expect(told[1]?.text).toContain(first?.verdict);
  expect(told[2]?.text).toContain(second?.refusal);
  expect(new Set(told.map(({ id }) => id)).size).toBe(6);
  // The same by e-mail; an end answers its start.
  const ids = await night.until(
    async () =>
      night.mail.mails.map(({ source }) => ({
        id: /^Message-ID: <(.+)>/mu.exec(source)?.[1],
        answers: /^In-Reply-To: <(.+)>/mu.exec(source)?.[1],
      })),
    (found) => found.length >= 6,
  );
  expect(new Set(ids.map(({ id }) => id)).size).toBe(6);
  expect(ids.map(({ answers }) => ids.findIndex(({ id }) => id === answers))).toEqual([-1, 0, -1, 2, -1, 4]);
  // Only the ring's sessions are there.
  expect(night.sessions()).toHaveLength(3);
  await night.restart();
  await night.clock.pass(5_000, 50);
  expect(night.told()).toHaveLength(6);
});

/** Faults come at moments of their own. */
const random = createRandom(39);

test("a replica that restarts in a recording", async () => {
  await begin({});
  night.group.logWrite(1, 40);
  await untilRecording();
  await night.clock.pass(random.between(0, 10_000), 50);
  night.group.replicas[1]?.fault({ kind: "restart", seconds: 5 });
  await night.clock.pass(10_000, 50);
  night.group.logWrite(1, 0);
  await expectInOrder(1);
});

test("a failover in a recording", async () => {
  await begin({ triggers: { ...DELAYED, state: true } });
  night.group.logWrite(1, 40);
  await untilRecording();
  await night.clock.pass(random.between(0, 10_000), 50);
  night.group.failover(1);
  await night.clock.pass(10_000, 50);
  night.group.logWrite(1, 0);
  const [episode] = await night.untilOver(1);
  expect(episode?.steps.map(({ text }) => text)).toContain("Also: Failover from SQL1 to SQL2");
  await expectInOrder(1);
});

test("a disk that is full in a recording", async () => {
  await begin({});
  night.group.logWrite(1, 40);
  await untilRecording();
  await night.clock.pass(random.between(4_000, 10_000), 50);
  night.isDiskFull = true;
  await night.clock.pass(20_000, 50);
  night.group.logWrite(1, 0);
  await expectInOrder(1);
  const [full] = await night.episodes();
  const refusal = "Can't create the capture. AG Lens retries at its next start.";
  expect(full).toMatchObject({ state: "failed", captureId: expect.any(String), refusal });
  expect(full?.steps).toContainEqual({ at: expect.any(String), text: refusal, isProblem: true });
  // The next start has room.
  night.isDiskFull = false;
  await night.restart();
  const [kept] = await night.until(
    () => night.episodes(),
    ([episode]) => episode?.state === "recorded",
  );
  expect(kept).toMatchObject({ captureId: full?.captureId, refusal: null, place: "secondary" });
  expect(night.told()).toHaveLength(2);
  await night.clock.pass(180_000, 250);
  await slowLogWrite(30);
  await expectInOrder(2);
  const [next] = await night.episodes();
  expect(next).toMatchObject({ state: "recorded", place: "secondary" });
});
