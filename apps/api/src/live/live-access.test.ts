/** Live mode where people sign in: its audit entries, its limits per person, and the owners of left sessions. */
import { TestClock } from "@aglens/fixtures/clock";
import { startGroup, startStandIn } from "@aglens/fixtures/replica-standin";
import type { StandIn } from "@aglens/fixtures/replica-standin";
import { AuditPage, LiveLeftSessions, LivePicture } from "@aglens/contract";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { as, tokenAccess, TOKENS } from "../../test/access.ts";
import { elementAt } from "../../test/element-at.ts";
import { attach } from "../../test/live-run.ts";
import { testService } from "../../test/service.ts";
import type { TestService } from "../../test/service.ts";
import { stubAnalyzer } from "../../test/stub-analyzer.ts";
import { until } from "../../test/until.ts";

let clock: TestClock;
let service: TestService;
let standIn: StandIn;
/** Name of the stand-in in the audit log before its own name is known. */
let where: string;
beforeEach(async () => {
  clock = new TestClock();
  standIn = await startStandIn({ clock, name: "SQL1" });
  where = `${standIn.host}:${standIn.port}`;
  service = await testService({ ...(await tokenAccess()), liveHosts: where }, stubAnalyzer(), { clock });
});
afterEach(async () => {
  await clock.during(service.end());
  await standIn.close();
});

const OTHER = { host: "127.0.0.1", port: 9 };

/** Begins a run of one person. @returns its path, its control key, and the status */
async function begin(token: string) {
  const replicas = [{ ...attach(standIn), everyDatabase: true }];
  const { status, body } = await as(service, token).post("/live/runs").send({ replicas });
  return {
    status,
    body,
    path: `/live/runs/${body.id}`,
    control: { "x-aglens-control": String(body.control) },
  };
}

/** Audit entries of live mode, oldest first. */
async function noted(): Promise<string[]> {
  const { body } = await as(service, TOKENS.admin).get("/access/audit").expect(200);
  return AuditPage.parse(body)
    .entries.map(({ person, action, what }) => `${person} ${action} ${what}`)
    .toReversed();
}

async function untilReading(path: string): Promise<void> {
  await until(async () => {
    await clock.pass(250);
    const { body } = await as(service, TOKENS.admin).get(path);
    return LivePicture.parse(body).replicas[0]?.state === "reading";
  });
}

test("names that a checked server has are used in captures of the person who checked it, and of nobody else", async () => {
  const group = await startGroup({ clock, secondaries: 1 });
  onTestFinished(() => group.close());
  const primary = elementAt(group.replicas, 0);
  const liveHosts = `${primary.host}:${primary.port}`;
  const other = await testService({ ...(await tokenAccess()), liveHosts }, stubAnalyzer(), { clock });
  onTestFinished(() => clock.during(other.end()));
  await as(other, TOKENS.ann).post("/live/checks").send(attach(primary)).expect(200);
  const namesFor = async (token: string) => {
    const { id } = (await as(other, token).post("/captures").send({}).expect(201)).body;
    const { replicas, groups, databases } = await other.captures.names.of(
      await other.captures.records.get(id),
    );
    return [replicas, groups, databases].map((names) => [...names.values()]);
  };
  expect(await namesFor(TOKENS.ann)).toEqual([["SQL1", "SQL2"], ["TestAG", "TestAG"], ["Sales"]]);
  expect(await namesFor(TOKENS.bob)).toEqual([[], [], []]);
});

test("who checked, attached, read statements and removed sessions is in the audit log", async () => {
  const ann = as(service, TOKENS.ann);
  await ann.post("/live/checks").send(attach(standIn)).expect(200);
  await ann.post("/live/first-contacts").send(attach(standIn)).expect(200);
  // Nothing is sent to a host that the operator does not allow.
  await ann
    .post("/live/checks")
    .send({ ...attach(standIn), server: OTHER })
    .expect(403);
  const { path, control } = await begin(TOKENS.ann);
  await untilReading(path);
  const bob = as(service, TOKENS.bob);
  await bob.get(path).expect(200);
  await ann.get(`${path}/replicas/0/sessions/51`).set(control);
  await ann.get(`${path}/replicas/0/sessions/51`).expect(401);
  await ann.post(`${path}/replicas`).set(control).send(attach(standIn)).expect(201);
  await ann.post(`${path}/replicas/0/retry`).set(control);
  await bob.post("/live/leftovers/removal").send({ ...attach(standIn), names: ["aglens_a", "aglens_b"] });
  await clock.during(ann.post(`${path}/stop`).set(control).send({ keep: false }).expect(200).then());
  // The admin looked on until it was read.
  expect((await noted()).filter((line) => !line.startsWith("Shared token"))).toEqual([
    `Ann checked ${where}`,
    `Ann checked every statement of ${where}`,
    `Ann attached live to ${where}`,
    "Bob opened a live run of SQL1",
    "Ann read a statement on SQL1, session 51",
    `Ann attached live to ${where}`,
    "Ann attached live again to SQL1",
    `Bob removed sessions from ${where}: aglens_a, aglens_b`,
    expect.stringMatching(/^Ann discarded the live run of SQL1, /u),
  ]);
});

test("one person has two runs, and the last free one is for somebody who has none", async () => {
  const first = await begin(TOKENS.ann);
  expect(first.status).toBe(201);
  expect((await begin(TOKENS.ann)).status).toBe(201);
  expect((await begin(TOKENS.ann)).body).toMatchObject({
    status: 409,
    code: "live-too-many-runs",
    detail: "2 live runs of yours are active, which is the limit. Stop one of them first.",
  });
  expect((await begin(TOKENS.bob)).status).toBe(201);
  expect((await begin(TOKENS.bob)).body).toMatchObject({
    code: "live-too-many-runs",
    detail: "The last free live run is reserved for a user without a live run. Stop one of them first.",
  });
  expect((await begin(TOKENS.admin)).status).toBe(201);
  const { path, control } = first;
  const stopped = as(service, TOKENS.ann).post(`${path}/stop`).set(control).send({ keep: false });
  await clock.during(stopped.expect(200).then());
  // Bob would take the last one again.
  expect((await begin(TOKENS.bob)).status).toBe(409);
  expect((await begin(TOKENS.ann)).status).toBe(409);
});

test("of runs that are begun at once no more go on than one person may have", async () => {
  const begun = await Promise.all([1, 2, 3, 4, 5, 6].map(() => begin(TOKENS.ann)));
  expect(begun.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 409, 409, 409, 409]);
});

test("who left a session takes it off the list, and an admin does; nobody else", async () => {
  const sessionsFor = async (token: string) =>
    LiveLeftSessions.parse((await as(service, token).get("/live/leftovers").expect(200)).body).sessions;
  const runs = [await begin(TOKENS.ann), await begin(TOKENS.ann)];
  for (const { path } of runs) await untilReading(path);
  // It stays down: a server that is back loses its left sessions at the next try.
  standIn.fault({ kind: "down", seconds: 3_600 });
  for (const { path, control } of runs) {
    const stopped = as(service, TOKENS.ann).post(`${path}/stop`).set(control).send({ keep: false });
    await clock.during(stopped.expect(200).then());
  }
  const [first, second] = await sessionsFor(TOKENS.ann);
  expect([first?.mayForget, (await sessionsFor(TOKENS.bob))[0]?.mayForget]).toEqual([true, false]);
  const refused = await as(service, TOKENS.bob).delete(`/live/leftovers/${first?.id}`).expect(403);
  expect(refused.body).toMatchObject({
    code: "not-allowed",
    detail: "Only Ann or an admin can take this session off the list.",
  });
  expect(await sessionsFor(TOKENS.bob)).toHaveLength(2);
  await as(service, TOKENS.ann).delete(`/live/leftovers/${first?.id}`).expect(204);
  await as(service, TOKENS.admin).delete(`/live/leftovers/${second?.id}`).expect(204);
  expect(await sessionsFor(TOKENS.ann)).toEqual([]);
  expect((await noted()).slice(-2)).toEqual([
    `Ann took off the list of left sessions ${first?.session} on SQL1`,
    `Shared token (admin) took off the list of left sessions ${second?.session} on SQL1`,
  ]);
});
