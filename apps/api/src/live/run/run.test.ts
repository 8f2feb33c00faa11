import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import request from "supertest";
import { LivePicture, NewLiveRun, type Summary } from "@aglens/contract";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { TestClock } from "@aglens/fixtures/clock";
import { startGroup, startStandIn } from "@aglens/fixtures/replica-standin";
import type { GroupOptions, StandIn, StandInGroup } from "@aglens/fixtures/replica-standin";
import { elementAt } from "../../../test/element-at.ts";
import { testService } from "../../../test/service.ts";
import type { TestService } from "../../../test/service.ts";
import type { KeptRun } from "./keep.ts";
import { LiveRun } from "./run.ts";
import type { RunOptions } from "./run.ts";
import type { Patience } from "../server/connection.ts";
import { attach, executeOn, isFlowing, RunUnderTest } from "../../../test/live-run.ts";
import { until } from "../../../test/until.ts";

const PASSWORD = "Tr0ub4dor&3-never-told";

/** Short times for a server that never answers; tests that depend on them mention it. */
const patience: Patience = { connectMs: 5_000, queryMs: 5_000, pollMs: 500, cancelMs: 200 };

let clock: TestClock;
let directory: string | null = null;
let service: TestService;
let group: StandInGroup | null = null;
const others: StandIn[] = [];
beforeEach(async () => {
  clock = new TestClock();
  service = await testService({}, undefined, { clock, patience });
});
afterEach(async () => {
  await clock.during(service.end());
  await group?.close();
  group = null;
  for (const standIn of others.splice(0)) await standIn.close();
  if (directory !== null) await rm(directory, { recursive: true, force: true });
  directory = null;
});

async function startReplicas(options: GroupOptions = {}): Promise<readonly [StandIn, StandIn, ...StandIn[]]> {
  group = await startGroup({
    blocksPerSecond: 15,
    dispatchMs: 250,
    clock,
    login: { user: "lens", password: PASSWORD },
    ...options,
  });
  const [primary, secondary, ...more] = group.replicas;
  return [primary as StandIn, secondary as StandIn, ...more];
}

describe("a run", () => {
  test("shows blocks, gauges and roles, and becomes a capture", async () => {
    const replicas = await startReplicas({ blocksPerSecond: 50 });
    const run = await RunUnderTest.begin(service, clock, replicas);
    const picture = await run.until(
      (p) => isFlowing(p) && p.polls.length > 3 && p.bins !== null && p.now > 3e6,
    );
    expect(picture.state).toBe("running");
    expect(picture.replicas).toMatchObject([
      {
        name: "SQL1",
        role: "primary",
        commitMode: "sync",
        utcOffsetMinutes: 0,
        step: "reading",
        undecoded: 0,
        problem: null,
      },
      { name: "SQL2", role: "secondary", step: "reading", undecoded: 0, problem: null },
    ]);
    expect(picture.replicas.map(({ waitedSeconds }) => waitedSeconds)).toEqual([null, null]);
    expect(picture.lanes.length).toBeGreaterThan(0);
    // 50 blocks per second were asked for; the first seconds are not full.
    expect(picture.blocksPerSecond).toBeGreaterThan(10);
    expect(picture.blocksPerSecond).toBeLessThan(75);
    expect(picture.gaps).toEqual([]);
    const [poll] = picture.polls.filter(({ replica }) => replica === 0).slice(-1);
    expect(poll?.logWrites).toMatchObject([{ database: "Sales", word: "good" }]);
    expect(poll?.databases).toMatchObject([
      { database: "Sales", isLocal: true, synchronization: "SYNCHRONIZED", dataLossSeconds: null },
      { database: "Sales", isLocal: false, synchronization: "SYNCHRONIZED", dataLossSeconds: 0 },
    ]);
    expect(poll?.connections).toEqual([
      { replicaId: picture.replicas[1]?.replicaId, connected: true, lastError: null },
    ]);
    expect(poll?.failures).toEqual([]);
    expect(poll?.schedulers?.count).toBeGreaterThan(0);

    const { body: mark } = await request(service.app)
      .post(`/api/v1/live/runs/${run.id}/marks`)
      .set("x-aglens-control", run.control)
      .send({ label: "backup began" })
      .expect(201);
    const captureId = await run.stop();
    const ended = await run.picture();
    expect(ended.state).toBe("stopped");
    expect(ended.captureId).toBe(captureId);
    expect(ended.replicas.map(({ step }) => step)).toEqual(["dropped", "dropped"]);
    expect(ended.endings[0]).toMatch(/^Session aglens_\w+ was dropped on SQL1 and is gone\.$/u);
    for (const replica of replicas) expect(replica.sessions()).toEqual([]);

    const summary = await analysed(captureId as string);
    expect(summary.replicas).toMatchObject([
      { name: "SQL1", role: "primary" },
      { name: "SQL2", role: "secondary" },
    ]);
    expect(summary.databases).toMatchObject([{ name: "Sales" }]);
    // Times 0 of run and capture differ; both are UTC on the primary's clock.
    const later = (Date.parse(picture.origin) - Date.parse(summary.originUtc)) * 1_000;
    expect(summary.marks).toMatchObject([{ label: "backup began", byRule: false }]);
    expect(Math.abs((summary.marks[0]?.at ?? 0) - mark.at - later)).toBeLessThan(1_000);
  });

  test("makes what it needs and leaves no trace when discarded", async () => {
    const [primary] = await startReplicas();
    const run = await RunUnderTest.begin(service, clock, [primary]);
    await run.until(isFlowing);
    expect(await run.stop(false)).toBeNull();
    expect(await readdir(join(service.config.dataDirectory, "live"))).toEqual([]);
    const { body } = await request(service.app).get("/api/v1/captures");
    expect(body.captures).toEqual([]);
  });

  test.each(["2014", "2016", "2019", "2025"] as const)("reads SQL Server %s", async (version) => {
    const [primary] = await startReplicas({ version });
    const run = await RunUnderTest.begin(service, clock, [primary]);
    await run.until((picture) => isFlowing(picture) && picture.polls.length > 0);
    await run.stop(false);
    const created = primary.statements().find((sql) => sql.startsWith("CREATE"));
    expect(created?.includes("MAX_DURATION")).toBe(version === "2025");
  });

  test("names the master and the msdb of a contained group, which it records", async () => {
    const [primary] = await startReplicas({ version: "2022", contained: true });
    const run = await RunUnderTest.begin(service, clock, [primary]);
    const picture = await run.until(isFlowing);
    expect(picture.containedSystemDatabases).toEqual(["TestAG_master", "TestAG_msdb"]);
    expect(primary.statements().find((sql) => sql.startsWith("CREATE"))).toContain("[database_id] = (31)");
    await run.stop(false);
  });

  test("can leave out the events that fire per commit", async () => {
    const [primary] = await startReplicas();
    const run = await RunUnderTest.begin(service, clock, [primary], {}, { withoutCommits: true });
    await run.until(isFlowing);
    const session = elementAt(primary.sessions(), 0);
    expect(session.events).toContain("sqlserver.hadr_capture_log_block");
    expect(session.events.join()).not.toMatch(/recovery_unit_harden|group_commit|mgr_harden\b/u);
  });

  test("starts the secondaries' sessions first and stops them last", async () => {
    const replicas = await startReplicas({ secondaries: 2 });
    const said: string[] = [];
    for (const replica of replicas) {
      replica.onStatement((sql) => {
        const state = /^ALTER EVENT SESSION .* STATE = (START|STOP);$/u.exec(sql)?.[1];
        if (state !== undefined) said.push(`${state} ${replica.name}`);
      });
    }
    // The user may name the replicas in any order, and the primary answers first.
    for (const secondary of replicas.slice(1)) secondary.fault({ kind: "slow", ms: 100 });
    const run = await RunUnderTest.begin(service, clock, replicas);
    await run.until(isFlowing);
    expect(said.slice(0, 2).toSorted()).toEqual(["START SQL2", "START SQL3"]);
    expect(said.slice(2)).toEqual(["START SQL1"]);
    primaryAnswersLast(replicas);
    await run.stop(false);
    expect(said[3]).toBe("STOP SQL1");
    expect(said.slice(4).toSorted()).toEqual(["STOP SQL2", "STOP SQL3"]);
    const { endings } = await run.picture();
    expect(endings[0]).toContain("SQL1");
    expect(endings.slice(1).join()).toMatch(/SQL2.*SQL3/u);
  });
});

function primaryAnswersLast([primary, ...secondaries]: readonly [StandIn, ...StandIn[]]): void {
  primary.fault({ kind: "slow", ms: 100 });
  for (const secondary of secondaries) secondary.fault({ kind: "slow", ms: 0 });
}

describe("what was there before", () => {
  test("a session of somebody else is read and stays", async () => {
    const standIn = await startStandIn({ clock, name: "SQL9", sessions: [{ name: "dba's", running: true }] });
    others.push(standIn);
    const run = await RunUnderTest.begin(service, clock, [standIn], { session: "dba's" });
    await run.until(({ replicas }) => replicas[0]?.state === "reading");
    await run.stop(false);
    expect(standIn.sessions()).toMatchObject([{ name: "dba's", running: true }]);
    expect(standIn.statements().join("\n")).not.toMatch(/^(?:CREATE|ALTER|DROP) /mu);
  });

  test("one that is not started is not started, and one that is not there is said so", async () => {
    const standIn = await startStandIn({ clock, name: "SQL9", sessions: [{ name: "idle", running: false }] });
    others.push(standIn);
    for (const [session, detail] of [
      ["idle", "is not started"],
      ["none", "There is no event session none"],
    ]) {
      const run = await RunUnderTest.begin(service, clock, [standIn], { session });
      const { replicas } = await run.until((picture) => picture.replicas[0]?.state === "failed");
      expect(replicas[0]?.problem).toMatchObject({ code: "live-no-session" });
      expect(replicas[0]?.problem?.detail).toContain(detail);
    }
  });

  test("leftovers are found and only they are removed", async () => {
    const left = "aglens_other_20261101T0101Z_0a1b";
    const standIn = await startStandIn({
      clock,
      sessions: [
        { name: left, running: true },
        { name: "mine", running: true },
      ],
    });
    others.push(standIn);
    const check = await request(service.app).post("/api/v1/live/checks").send(attach(standIn)).expect(200);
    expect(check.body.leftovers).toMatchObject([
      { name: left, running: true, host: "other", ofThisHost: false },
    ]);
    expect(check.body.sessions).toEqual(["mine"]);
    const { body } = await request(service.app)
      .post("/api/v1/live/leftovers/removal")
      .send({ ...attach(standIn), names: [left, "mine"] })
      .expect(200);
    expect(body).toEqual({ removed: [left] });
    expect(standIn.sessions().map(({ name }) => name)).toEqual(["mine"]);
  });

  test("the session of a running run is not a leftover", async () => {
    const [primary] = await startReplicas();
    const run = await RunUnderTest.begin(service, clock, [primary]);
    await run.until(isFlowing);
    const { name } = elementAt(primary.sessions(), 0);
    const check = await request(service.app).post("/api/v1/live/checks").send(attach(primary));
    expect(check.body.leftovers).toEqual([]);
    const { body } = await request(service.app)
      .post("/api/v1/live/leftovers/removal")
      .send({ ...attach(primary), names: [name] });
    expect(body).toEqual({ removed: [] });
    expect(primary.sessions()).toHaveLength(1);
  });
});

describe("faults", () => {
  test("a lost connection is a gap, and the run comes back", async () => {
    const [primary, secondary] = await startReplicas();
    const run = await RunUnderTest.begin(service, clock, [primary, secondary]);
    const { now } = await run.until(isFlowing);
    secondary.fault({ kind: "down", seconds: 2 });
    const lost = await run.until(({ replicas }) => replicas[1]?.state === "waiting");
    expect(lost.gaps).toMatchObject([{ replica: 1, reason: "connection", to: null }]);
    expect(lost.replicas[1]?.retryIn).not.toBeNull();
    const away = await run.until(({ replicas }) => replicas[1]?.problem?.code === "live-unreachable");
    expect(away.replicas[1]?.problem?.detail).toMatch(/^SQL2 \(127\.0\.0\.1:\d+\) cannot be reached: /u);
    const back = await run.until(
      ({ gaps, replicas }) => gaps[0]?.to != null && replicas[1]?.state === "reading",
    );
    const { from, to } = elementAt(back.gaps, 0);
    expect(from).toBeGreaterThanOrEqual(now - 2e6);
    expect((to as number) - from).toBeGreaterThan(1.5e6);
    expect(back.replicas[1]?.problem).toBeNull();
    expect(back.replicas[0]?.state).toBe("reading");
    // The session lived on at the server: it was not made twice.
    expect(secondary.statements().filter((sql) => sql.startsWith("CREATE"))).toHaveLength(1);
    await run.stop(false);
    expect(secondary.sessions()).toEqual([]);
  });

  test("a run that is stopped while a server is gone for a moment still drops its session there", async () => {
    const [primary, secondary] = await startReplicas();
    const run = await RunUnderTest.begin(service, clock, [primary, secondary]);
    await run.until(isFlowing);
    secondary.fault({ kind: "down", seconds: 2 });
    await run.stop(false);
    expect(secondary.sessions()).toEqual([]);
  });

  test("a server that cannot be reached at first is attached when it can", async () => {
    const [primary, secondary] = await startReplicas();
    secondary.fault({ kind: "down", seconds: 2 });
    const run = await RunUnderTest.begin(service, clock, [primary, secondary]);
    const waiting = await run.until(({ replicas }) => replicas[1]?.state === "waiting");
    expect(waiting.replicas[1]?.problem?.code).toBe("live-unreachable");
    await run.until(isFlowing);
  });

  test("rows that wait in the server's output buffer make no replica late", async () => {
    // One block a second is a row of 1 to 3 KB, and a packet has 8 KB.
    const replicas = await startReplicas({ blocksPerSecond: 1, dispatchMs: 1_000, buffersOutput: true });
    const run = await RunUnderTest.begin(service, clock, replicas);
    const { replicas: read, gaps } = await run.until((picture) =>
      picture.replicas.every(({ waitedSeconds }) => waitedSeconds !== null),
    );
    for (const { name, lateSeconds, eventsTooLate, unheardSince } of read) {
      // The first rows may arrive alone: they waited for the next row, a dispatch and a step of the picture.
      expect(lateSeconds ?? 0, name).toBeLessThan(3.1);
      expect([eventsTooLate, unheardSince], name).toEqual([0, null]);
    }
    expect(gaps).toEqual([]);
    // Waiting rows are sent at the end of the stream.
    const before = elementAt(read, 0).events;
    await run.stop(false);
    expect(elementAt((await run.picture()).replicas, 0).events).toBeGreaterThan(before);
  });

  test("a disconnected reader (25726) is counted and comes back", async () => {
    const [primary] = await startReplicas();
    const run = await RunUnderTest.begin(service, clock, [primary]);
    await run.until(isFlowing);
    primary.fault({ kind: "disconnectReaders" });
    const { gaps, replicas } = await run.until(
      (p) => p.gaps.length > 0 && p.gaps[0]?.to != null && isFlowing(p),
    );
    expect(gaps[0]?.reason).toBe("disconnectedByServer");
    expect(replicas[0]?.disconnects).toBe(1);
  });

  test("a session that somebody stops is not started again, and read again when it runs", async () => {
    const [primary] = await startReplicas();
    const run = await RunUnderTest.begin(service, clock, [primary]);
    await run.until((picture) => isFlowing(picture) && picture.polls.length > 1);
    primary.fault({ kind: "stopSessions" });
    const { gaps, replicas } = await run.until(
      (picture) => picture.replicas[0]?.problem?.detail.includes("was stopped outside AG Lens") ?? false,
    );
    expect(gaps).toMatchObject([{ reason: "sessionStopped", to: null }]);
    expect(replicas[0]).toMatchObject({
      state: "waiting",
      retryIn: null,
      problem: { code: "live-session-stopped" },
    });
    const help = replicas[0]?.problem?.sql ?? "";
    expect(help).toMatch(/STATE = START;$/u);
    const polls = (await run.picture()).polls.length;
    await clock.pass(10_000);
    expect(primary.sessions()).toMatchObject([{ running: false }]);
    // The gauges continue meanwhile.
    expect((await run.picture()).polls.length).toBeGreaterThan(polls + 5);

    await executeOn(primary, help);
    const again = await run.until((picture) => isFlowing(picture) && picture.gaps[0]?.to != null);
    expect(again.replicas[0]).toMatchObject({ state: "reading", problem: null });
    await run.stop(false);
    expect(primary.sessions()).toEqual([]);
  });

  test("a session that somebody dropped is said to be dropped; Try again makes a new one", async () => {
    const [primary] = await startReplicas();
    const run = await RunUnderTest.begin(service, clock, [primary]);
    await run.until(isFlowing);
    await executeOn(primary, `DROP EVENT SESSION [${elementAt(primary.sessions(), 0).name}] ON SERVER;`);
    const { replicas } = await run.until(
      (picture) => picture.replicas[0]?.problem?.detail.includes("was dropped outside AG Lens") ?? false,
    );
    // No statement brings it back.
    expect(replicas[0]?.problem?.sql).toBeNull();
    await clock.pass(10_000);
    expect(primary.sessions()).toEqual([]);
    await run.tryAgain(0);
    await run.until((picture) => isFlowing(picture) && picture.gaps[0]?.to != null);
    expect(primary.sessions()).toMatchObject([{ running: true }]);
    await run.stop(false);
    expect(primary.sessions()).toEqual([]);
  });

  test("a session of somebody else that is stopped is never started, also not by Try again", async () => {
    const standIn = await startStandIn({ clock, name: "SQL9", sessions: [{ name: "dbas", running: true }] });
    others.push(standIn);
    const run = await RunUnderTest.begin(service, clock, [standIn], { session: "dbas" });
    await run.until(({ replicas }) => replicas[0]?.state === "reading");
    standIn.fault({ kind: "stopSessions" });
    await run.until(({ replicas }) => replicas[0]?.problem?.code === "live-session-stopped");
    await run.tryAgain(0);
    await run.until(({ replicas }) => replicas[0]?.problem?.code === "live-no-session");
    expect(standIn.sessions()).toMatchObject([{ name: "dbas", running: false }]);
    expect(standIn.statements().join("\n")).not.toMatch(/^(?:CREATE|ALTER|DROP) /mu);
    await run.stop(false);
  });

  test("a replica that was given up is attached when the user tries again", async () => {
    const [primary, secondary] = await startReplicas();
    const rights = ["ALTER ANY EVENT SESSION", "DROP ANY EVENT SESSION"];
    for (const permission of rights) secondary.fault({ kind: "deny", permission });
    const run = await RunUnderTest.begin(service, clock, [primary, secondary]);
    await run.until(({ replicas }) => replicas[1]?.state === "failed" && replicas[0]?.state === "reading");
    for (const permission of rights) secondary.fault({ kind: "grant", permission });
    await clock.pass(5_000);
    expect((await run.picture()).replicas[1]?.state).toBe("failed");
    await run.tryAgain(1);
    await run.until(isFlowing);
    await run.tryAgain(7, 404);
    await run.stop(false);
    for (const replica of [primary, secondary]) expect(replica.sessions()).toEqual([]);
  });

  test("a replica of the group that nobody attached is known", async () => {
    const [primary, , third] = await startReplicas({
      secondaries: [{ commitMode: "sync" }, { commitMode: "async" }],
    });
    const run = await RunUnderTest.begin(service, clock, [primary]);
    const { unattached } = await run.until(isFlowing);
    expect(unattached).toMatchObject([
      { name: "SQL2", role: "secondary", commitMode: "sync" },
      { name: elementAt([third], 0)?.name, role: "secondary", commitMode: "async" },
    ]);
    await run.stop(false);
  });

  test("a replica can be added to a run: it joins the picture with a mark, and is dropped with the others", async () => {
    const [primary, secondary] = await startReplicas();
    const run = await RunUnderTest.begin(service, clock, [primary]);
    await run.until(isFlowing);
    await run.add(secondary, 201);
    const picture = await run.until(
      (p) => p.replicas.length === 2 && isFlowing(p) && p.lanes.some(({ replica }) => replica === 1),
    );
    expect(picture.replicas[1]).toMatchObject({ name: "SQL2", role: "secondary", state: "reading" });
    expect(picture.unattached).toEqual([]);
    expect(picture.marks).toMatchObject([{ label: "SQL2 attached" }]);
    const captureId = await run.stop();
    for (const replica of [primary, secondary]) expect(replica.sessions()).toEqual([]);
    const summary = await analysed(captureId as string);
    expect(summary.replicas).toMatchObject([{ name: "SQL1" }, { name: "SQL2", role: "secondary" }]);
    await run.add(secondary, 409);
  });

  test("a replica is listed once, also while it is attached, after it failed, and when it is attached anew", async () => {
    const [primary, secondary] = await startReplicas();
    const run = await RunUnderTest.begin(service, clock, [primary]);
    await run.until(isFlowing);
    const given = { ...attach(secondary), serverName: "SQL2" };
    await run.add(secondary, 201, { ...given, login: { kind: "sql", user: "lens", password: "wrong" } });
    const listed = ({ replicas, unattached }: LivePicture) =>
      [...replicas, ...unattached].map(({ name }) => name);
    expect(listed(await run.picture())).toEqual(["SQL1", "SQL2"]);
    expect(listed(await run.until(({ replicas }) => replicas[1]?.state === "failed"))).toEqual([
      "SQL1",
      "SQL2",
    ]);

    await run.add(secondary, 201, given);
    const picture = await run.until((p) => isFlowing(p) && p.marks.length > 0);
    expect(listed(picture)).toEqual(["SQL1", "SQL2"]);
    expect(picture.marks).toMatchObject([{ label: "SQL2 attached" }]);

    // A third address that leads to the first server is no replica of its own.
    await run.add(primary, 201, { ...attach(primary), serverName: "SQL3" });
    const twice = await run.until(({ replicas }) => replicas[2]?.state === "failed");
    expect(listed(twice)).toEqual(["SQL1", "SQL2", `${primary.host}:${primary.port}`]);
    expect(twice.replicas[2]?.problem?.detail).toContain("is SQL1, which is attached already");
    await run.stop(false);
    for (const replica of [primary, secondary]) expect(replica.sessions()).toEqual([]);
  });

  test("the last minutes become a capture while the run goes on", async () => {
    const replicas = await startReplicas();
    const run = await RunUnderTest.begin(service, clock, replicas, {}, { stopAfterMinutes: 30 });
    const begun = Date.parse((await run.picture()).stopsAt ?? "");
    expect(begun - clock.now()).toBeCloseTo(30 * 60_000, -4);
    await run.until((picture) => isFlowing(picture) && picture.now > 5e6);
    const post = (path: string, body: object) =>
      request(service.app)
        .post(`/api/v1/live/runs/${run.id}/${path}`)
        .set("x-aglens-control", run.control)
        .send(body);
    await post("marks", { label: "backup began" }).expect(201);
    const { body } = await post("captures", { minutes: 5 }).expect(201);
    const summary = await analysed(body.captureId);
    expect(summary.marks).toMatchObject([{ label: "backup began", byRule: false }]);
    expect(summary.replicas).toMatchObject([
      { name: "SQL1", role: "primary" },
      { name: "SQL2", role: "secondary" },
    ]);
    const picture = await run.picture();
    expect(picture.state).toBe("running");
    expect(picture.marks).toMatchObject([
      { label: "backup began" },
      { label: "last 5 min kept", byRule: true },
    ]);
    const { events } = elementAt(picture.replicas, 0);
    await run.until((later) => elementAt(later.replicas, 0).events > events);

    await post("stop-after", { minutes: 1 }).expect(204);
    expect(Date.parse((await run.picture()).stopsAt ?? "") - clock.now()).toBeCloseTo(60_000, -3);
    await post("stop-after", { minutes: null }).expect(204);
    expect((await run.picture()).stopsAt).toBeNull();
    await post("stop-after", { minutes: 1 }).expect(204);
    for (const ms of [29_000, 29_000]) {
      await clock.pass(ms, 100);
      await post("presence", {}).expect(204);
    }
    expect((await run.picture()).state).toBe("running");
    const ended = await run.until(({ state }) => state === "stopped");
    expect(ended.captureId).not.toBeNull();
    expect(ended.endings).toContain("AG Lens stopped and saved the run at the set time.");
    for (const replica of replicas) expect(replica.sessions()).toEqual([]);
  });

  test("who waits is named with session and database; the text comes only when it is asked for", async () => {
    const [primary] = await startReplicas();
    // The sessions must still wait when their text is requested.
    group?.network(60_000);
    const run = await RunUnderTest.begin(service, clock, [primary]);
    const { polls } = await run.until((picture) =>
      picture.polls.some(({ waiting }) => (waiting ?? []).length > 2),
    );
    const [longest] = polls.findLast(({ waiting }) => (waiting ?? []).length > 2)?.waiting ?? [];
    expect(longest).toMatchObject({ database: "Sales", wait: "HADR_SYNC_COMMIT" });
    expect(longest?.waitMs).toBeGreaterThan(50);
    expect(primary.statements().join("\n")).not.toContain("dm_exec_sql_text");
    const asking = request(service.app).get(
      `/api/v1/live/runs/${run.id}/replicas/0/sessions/${longest?.session}`,
    );
    await clock.during(asking.expect(401).then(() => {}));
    const { body } = await clock.during(
      request(service.app)
        .get(`/api/v1/live/runs/${run.id}/replicas/0/sessions/${longest?.session}`)
        .set("x-aglens-control", run.control)
        .expect(200)
        .then((answer) => answer),
    );
    expect(body.text).toMatch(/^UPDATE /u);
    expect(JSON.stringify(await run.picture())).not.toContain(body.text);
    await run.stop(false);
  });

  test("performance counters come every five seconds with their rates", async () => {
    const [primary, secondary] = await startReplicas();
    group?.network(10);
    const run = await RunUnderTest.begin(service, clock, [primary, secondary]);
    const { polls } = await run.until(
      (picture) =>
        new Set(picture.polls.filter(({ counters }) => counters).map(({ replica }) => replica)).size === 2,
    );
    const ofReplica = (replica: number) =>
      polls.findLast((poll) => poll.replica === replica && poll.counters)?.counters;
    const [sales] = ofReplica(0)?.databases ?? [];
    // 10 ms of network and some 2 ms of log write are between the local harden and the acknowledgment.
    expect(sales?.transactionDelayMs).toBeGreaterThan(9);
    expect(sales?.transactionDelayMs).toBeLessThan(16);
    expect(ofReplica(0)?.replicas).toMatchObject([{ name: "SQL2", flowControlMsPerSecond: 0 }]);
    expect(ofReplica(0)?.replicas[0]?.sentBytesPerSecond).toBeGreaterThan(1000);
    expect(ofReplica(1)?.databases[0]?.receivedBytesPerSecond).toBeGreaterThan(1000);
    await run.stop(false);
  });

  test("events and buffers that the server dropped are counted apart, and named in the gap", async () => {
    const [primary] = await startReplicas();
    const run = await RunUnderTest.begin(service, clock, [primary]);
    await run.until((picture) => isFlowing(picture) && picture.polls.length > 0);
    primary.fault({ kind: "loseEvents", events: 321, buffers: 2 });
    const { gaps, replicas } = await run.until(
      (picture) => elementAt(picture.replicas, 0).droppedByServer > 0,
    );
    expect(replicas[0]).toMatchObject({ droppedByServer: 321, buffersDroppedByServer: 2 });
    expect(gaps).toMatchObject([
      {
        reason: "droppedByServer",
        message:
          "SQL1 dropped 321 events and 2 buffers with all events in them: the buffers of its session were full.",
      },
    ]);
    await clock.pass(5000);
    primary.fault({ kind: "loseEvents", events: 0, buffers: 1 });
    const later = await run.until((picture) => picture.gaps.length > 1);
    expect(later.replicas[0]).toMatchObject({ droppedByServer: 321, buffersDroppedByServer: 3 });
    expect(later.gaps[1]?.message).toBe(
      "SQL1 dropped 1 buffer with all events in it: the buffers of its session were full.",
    );
  });

  test("a row that does not decode is counted and ends nothing", async () => {
    const [primary] = await startReplicas();
    const run = await RunUnderTest.begin(service, clock, [primary]);
    await run.until(isFlowing);
    primary.fault({ kind: "damageRow" });
    const { replicas } = await run.until((picture) => elementAt(picture.replicas, 0).undecoded > 0);
    await run.until((picture) => elementAt(picture.replicas, 0).events > elementAt(replicas, 0).events);
  });

  test("after a failover the roles are swapped", async () => {
    const replicas = await startReplicas();
    const run = await RunUnderTest.begin(service, clock, replicas);
    await run.until((picture) => isFlowing(picture) && picture.now > 2e6);
    group?.failover(1);
    const swapped = await run.until(
      (p) => p.replicas[1]?.role === "primary" && p.replicas[0]?.role === "secondary",
    );
    const later = await run.until(
      (p) => isFlowing(p) && elementAt(p.replicas, 1).events > elementAt(swapped.replicas, 1).events,
    );
    expect(later.replicas.map(({ role }) => role)).toEqual(["secondary", "primary"]);
    await run.stop(false);
    for (const replica of replicas) expect(replica.sessions()).toEqual([]);
  });

  test("a replica without permission fails with the GRANT, the other is read", async () => {
    const [primary, secondary] = await startReplicas();
    secondary.fault({ kind: "deny", permission: "ALTER ANY EVENT SESSION" });
    secondary.fault({ kind: "deny", permission: "DROP ANY EVENT SESSION" });
    const run = await RunUnderTest.begin(service, clock, [primary, secondary]);
    const { replicas } = await run.until(
      (p) => p.replicas[1]?.state === "failed" && p.replicas[0]?.state === "reading",
    );
    expect(replicas[1]?.problem).toMatchObject({
      code: "live-permission",
      sql: "USE master; GRANT DROP ANY EVENT SESSION TO [lens];",
    });
    // Nothing is created that could not be removed again.
    expect(secondary.sessions()).toEqual([]);
  });

  test("without VIEW ANY DEFINITION roles are known and commit modes are not", async () => {
    const replicas = await startReplicas({ deny: ["VIEW ANY DEFINITION"] });
    const run = await RunUnderTest.begin(service, clock, replicas);
    const picture = await run.until(
      (p) => isFlowing(p) && p.replicas.every(({ role }) => role !== "unknown"),
    );
    expect(picture.replicas).toMatchObject([
      { name: "SQL1", role: "primary", commitMode: "undetermined" },
      { name: "SQL2", role: "secondary", commitMode: "undetermined" },
    ]);
    expect(picture.replicas.every(({ replicaId }) => replicaId.length === 36)).toBe(true);
    const check = await request(service.app)
      .post("/api/v1/live/checks")
      .send(attach(replicas[0]))
      .expect(200);
    expect(check.body.missing).toMatchObject([{ permission: "VIEW ANY DEFINITION", blocking: false }]);
    expect(check.body.replicas).toMatchObject([{ isThisServer: true }, { isThisServer: false }]);
  });

  test("the same server twice is refused", async () => {
    const [primary] = await startReplicas();
    const run = await RunUnderTest.begin(service, clock, [primary, primary]);
    const { replicas } = await run.until((p) => p.replicas.some(({ state }) => state === "failed"));
    expect(replicas.find(({ state }) => state === "failed")?.problem?.code).toBe("live-same-server");
  });

  test("a view that blocks leaves a hole in its own gauge only", async () => {
    const [primary] = await startReplicas();
    const run = await RunUnderTest.begin(service, clock, [primary]);
    await run.until((picture) => isFlowing(picture) && picture.polls.length > 2);
    primary.fault({ kind: "blockView", view: "sys.dm_os_schedulers", seconds: 1e6 });
    const { polls, gaps } = await run.until((picture) =>
      picture.polls.some(({ failures }) => failures.length > 0),
    );
    const hole = polls.findLast(({ failures }) => failures.length > 0);
    expect(hole).toMatchObject({ schedulers: null, failures: [{ set: "schedulers" }] });
    expect(hole?.waits).not.toBeNull();
    expect(hole?.databases).not.toBeNull();
    expect(gaps).toEqual([]);
    primary.fault({ kind: "blockView", view: "sys.dm_os_schedulers", seconds: 0 });
    await run.stop(false);
  });

  test("a slow or refused poll leaves a hole, and the stream goes on", async () => {
    const [primary] = await startReplicas();
    const run = await RunUnderTest.begin(service, clock, [primary]);
    await run.until((picture) => isFlowing(picture) && picture.polls.length > 2);
    primary.fault({ kind: "slow", ms: 3_600_000 });
    const slow = await run.until(
      ({ polls }) => polls.filter(({ failures }) => failures.length > 0).length >= 4,
    );
    primary.fault({ kind: "slow", ms: 0 });
    expect(slow.polls.at(-1)).toMatchObject({
      waits: null,
      failures: [{ set: "clock", detail: expect.stringMatching(/did not answer within 0\.5 s\.$/u) }],
    });
    primary.fault({ kind: "deny", permission: "VIEW SERVER STATE" });
    primary.fault({ kind: "deny", permission: "VIEW SERVER PERFORMANCE STATE" });
    const denied = await run.until(
      ({ polls }) => polls.at(-1)?.failures[0]?.detail.includes("permission") ?? false,
    );
    const { events } = elementAt(denied.replicas, 0);
    await clock.pass(10_000);
    const last = await run.picture();
    expect(last.gaps).toEqual([]);
    expect(last.replicas[0]).toMatchObject({ state: "reading", problem: null });
    expect(elementAt(last.replicas, 0).events).toBeGreaterThan(events);
    primary.fault({ kind: "grant", permission: "VIEW SERVER STATE" });
    primary.fault({ kind: "grant", permission: "VIEW SERVER PERFORMANCE STATE" });
    await run.stop(false);
  });

  test("a server that is silent for too long is a lost one", async () => {
    const [primary] = await startReplicas();
    const run = await RunUnderTest.begin(service, clock, [primary]);
    await run.until(isFlowing);
    // Longer than a poll may take (here half a real second), in the clock of the run and of the server.
    primary.fault({ kind: "stall", seconds: 1e6 });
    await run.until(({ gaps }) => gaps.some(({ reason }) => reason === "connection"));
    primary.fault({ kind: "stall", seconds: 0 });
    await run.until((picture) => isFlowing(picture) && picture.gaps.every(({ to }) => to !== null));
  });

  test.each([
    { kind: "ntlm", domain: "CORP", user: "lens", password: PASSWORD },
    { kind: "entra", token: PASSWORD },
  ])("logs in by $kind", async (login) => {
    const standIn = await startStandIn({
      clock,
      login: { user: "lens", password: PASSWORD },
      token: PASSWORD,
    });
    others.push(standIn);
    const check = { ...attach(standIn), login };
    const { body } = await request(service.app).post("/api/v1/live/checks").send(check).expect(200);
    expect(body.serverName).toBe("STANDIN");
  });

  test("a wrong password is tried once", async () => {
    const [primary] = await startReplicas();
    const { body } = await request(service.app)
      .post("/api/v1/live/runs")
      .send({ replicas: [{ ...attach(primary), login: { kind: "sql", user: "lens", password: "wrong" } }] });
    const run = new RunUnderTest(service, clock, body.id, body.control);
    const { replicas } = await run.until((picture) => picture.replicas[0]?.state === "failed");
    expect(replicas[0]?.problem?.code).toBe("live-login-refused");
    expect(replicas[0]?.retryIn).toBeNull();
  });
});

describe("control", () => {
  test("the id alone shows and cannot stop", async () => {
    const [primary] = await startReplicas();
    const run = await RunUnderTest.begin(service, clock, [primary]);
    const path = `/api/v1/live/runs/${run.id}`;
    await request(service.app).get(path).expect(200);
    for (const action of ["presence", "stop", "marks"]) {
      const send = request(service.app).post(`${path}/${action}`).send({ keep: true });
      const { body } = await send.set("x-aglens-control", "guess").expect(401);
      expect(body.code).toBe("live-control");
    }
    await request(service.app).post(`${path}/presence`).set("x-aglens-control", run.control).expect(204);
    await request(service.app).get("/api/v1/live/runs/nothing").expect(404);
  });

  test("a mark is at its instant", async () => {
    const [primary] = await startReplicas();
    const run = await RunUnderTest.begin(service, clock, [primary]);
    const { now } = await run.until(isFlowing);
    const { body } = await request(service.app)
      .post(`/api/v1/live/runs/${run.id}/marks`)
      .set("x-aglens-control", run.control)
      .send({ label: "backup began" })
      .expect(201);
    expect(body.at).toBeGreaterThan(now - 1e6);
    expect(body.at).toBeLessThan(now + 3e6);
    const { marks } = await run.picture();
    expect(marks).toMatchObject([{ label: "backup began" }]);
  });
});

describe("server-sent events", () => {
  test("first the whole picture, then what changed, to the end", async () => {
    const [primary] = await startReplicas();
    const run = await RunUnderTest.begin(service, clock, [primary]);
    await run.until((picture) => isFlowing(picture) && picture.polls.length > 2);
    const server = service.app.listen(0);
    try {
      const { port } = server.address() as AddressInfo;
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/live/runs/${run.id}/events`);
      expect(answer.headers.get("content-type")).toContain("text/event-stream");
      const pictures: LivePicture[] = [];
      const read = async (): Promise<void> => {
        for await (const picture of picturesOf(answer)) {
          pictures.push(picture);
          if (pictures.length === 3) void run.stop(false);
          if (picture.state === "stopped") break;
        }
      };
      await clock.during(read());
      const [first, second] = [elementAt(pictures, 0), elementAt(pictures, 1)];
      expect(first.polls.length).toBeGreaterThan(2);
      expect(first.bins?.firstBin).toBe(0);
      expect(second.sequence).toBe(first.sequence + 1);
      expect(second.polls.length).toBeLessThan(first.polls.length);
      expect(pictures.at(-1)?.endings).toHaveLength(1);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

/** A run outside a service, with its reports. */
async function runOf(given: StandIn | readonly StandIn[], more: Partial<RunOptions> = {}): Promise<LiveRun> {
  const replicas = [given].flat().map(attach);
  directory = await mkdtemp(join(tmpdir(), "aglens-test-"));
  return new LiveRun({
    request: NewLiveRun.parse({ title: "Alone", replicas }),
    directory,
    keepBytes: 1e9,
    memoryBytes: 128 * 2 ** 20,
    expectRoom: () => Promise.resolve(),
    onLeftBehind: () => {},
    clock,
    patience,
    keep: () => Promise.resolve("capture-id"),
    keepPart: () => Promise.resolve("part-id"),
    discard: () => Promise.resolve(),
    note: () => Promise.resolve(),
    onStopped: () => {},
    onCounts: () => {},
    log: () => {},
    ...more,
  });
}

describe("durations of a run with a ring", () => {
  test("count from the begin of the recording on", async () => {
    const [primary, secondary] = await startReplicas();
    const counted: string[] = [];
    const run = await runOf([primary, secondary], {
      isUnattended: true,
      ringSeconds: 30,
      onCounts: (group, counts) => counted.push(...counts.map(({ stage }) => `${group} ${stage}`)),
    });
    run.begin();
    const passUntil = (is: () => boolean | Promise<boolean>): Promise<void> =>
      until(async () => {
        await clock.pass(1_000, 250);
        return is();
      });
    await passUntil(async () => (await run.whole()).overview?.count.some((blocks) => blocks > 0) === true);
    expect(counted).toEqual([]);
    run.record("commit delay");
    await passUntil(() => counted.includes("TestAG commit"));
    await clock.during(run.stop(false));
  });
});

describe("a run that nobody watches", () => {
  test("stops by itself after a minute and keeps what it has", async () => {
    const [primary] = await startReplicas();
    const kept: KeptRun[] = [];
    const run = await runOf(primary, {
      keep: (files) => {
        kept.push(files);
        return Promise.resolve("capture-id");
      },
      discard: () => Promise.reject(new Error("not asked for")),
    });
    run.begin();
    await clock.pass(40_000, 250);
    run.present();
    await clock.pass(59_000, 250);
    expect(run.isOver).toBe(false);
    expect(kept).toEqual([]);
    await clock.pass(2_000);
    // A stop request now gets the result of the automatic stop.
    expect(await clock.during(run.stop(false))).toBe("capture-id");
    expect(kept).toMatchObject([{ title: "Alone", files: [{ replica: 0 }] }]);
    expect((await run.whole()).endings[0]).toContain("No browser with the control key");
    expect(primary.sessions()).toEqual([]);
  });
});

describe("the files of a run", () => {
  // Only Linux lists the open files of a process.
  test.skipIf(!existsSync("/proc/self/fd"))(
    "are written to their end and closed, however it ends",
    async () => {
      const [primary] = await startReplicas();
      for (const end of [
        (run: LiveRun) => run.stop(true),
        (run: LiveRun) => run.stop(false),
        (run: LiveRun) => run.leave(),
      ]) {
        const run = await runOf(primary);
        run.begin();
        const folder = directory as string;
        while (openIn(folder).length === 0) await clock.pass(250);
        await clock.during<unknown>(end(run));
        expect(openIn(folder)).toEqual([]);
        const { size } = await stat(join(folder, "0_0000.xel"));
        expect(size).toBe((await run.whole()).kept.bytes);
        await rm(folder, { recursive: true });
      }
    },
  );
});

/** Files of a folder that this process has open. */
function openIn(folder: string): string[] {
  return readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${descriptor}`);
      return file.startsWith(folder) ? [file] : [];
    } catch {
      // The descriptor that listed them is closed by now.
      return [];
    }
  });
}

describe("whoever follows", () => {
  test("gets the same words as the others, written out once", async () => {
    const [primary] = await startReplicas();
    const run = await runOf(primary);
    run.begin();
    const first: string[] = [];
    const second: string[] = [];
    const leave = await run.follow((json) => first.push(json));
    await run.follow((json) => second.push(json));
    const written = vi.spyOn(JSON, "stringify");
    await clock.pass(5_000);
    const pictures = written.mock.calls.filter(([value]) => isPicture(value)).length;
    written.mockRestore();
    expect(pictures).toBeGreaterThan(2);
    expect(first).toHaveLength(1 + pictures);
    expect(first.slice(1)).toEqual(second.slice(1));
    leave();
    await clock.pass(2_000);
    expect(first).toHaveLength(1 + pictures);
    expect(second.length).toBeGreaterThan(1 + pictures);
    await clock.during(run.stop(false));
  });
});

function isPicture(value: unknown): boolean {
  return typeof value === "object" && value !== null && "sequence" in value;
}

describe("a run that is stopped while it attaches", () => {
  test("does not wait for a server that takes connections and never answers", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const run = await runOf({ host: "127.0.0.1", port, user: "lens", password: PASSWORD } as StandIn, {
      // Longer than this test may take.
      patience: { ...patience, connectMs: 3_600_000 },
    });
    run.begin();
    const [socket] = (await once(silent, "connection")) as [Socket];
    expect((await run.whole()).replicas[0]?.state).toBe("connecting");
    await clock.during(run.stop(false));
    expect((await run.whole()).endings).toEqual([`No session was made on 127.0.0.1:${port}.`]);
    socket.destroy();
    silent.close();
  });

  test("does not wait for an answer to a statement, and drops what it may have made", async () => {
    const [primary] = await startReplicas();
    const run = await runOf(primary, { patience: { ...patience, queryMs: 3_600_000 } });
    const made = new Promise<void>((resolve) => {
      primary.onStatement((sql) => {
        if (!sql.startsWith("CREATE EVENT SESSION")) return;
        // The session is created, but the answer does not arrive before the run is stopped.
        primary.fault({ kind: "stall", seconds: 1e6 });
        resolve();
      });
    });
    run.begin();
    await clock.during(made);
    await clock.pass(100);
    expect(primary.sessions()).toHaveLength(1);
    const stopping = run.stop(false);
    primary.fault({ kind: "stall", seconds: 0 });
    await clock.during(stopping);
    expect(primary.sessions()).toEqual([]);
  });

  test.each([
    ["the first statement", "SELECT", false],
    ["the list of events", "sys.dm_xe_objects", false],
    ["a session was made", "CREATE EVENT SESSION", true],
    ["a session was started", "STATE = START", true],
  ])("with slow answers, after %s, sends nothing but its last statements", async (_, statement, isMade) => {
    const replicas = await startReplicas({ secondaries: 2 });
    const sent: { readonly server: string; readonly sql: string }[] = [];
    for (const replica of replicas) {
      replica.fault({ kind: "slow", ms: 3_000 });
      replica.onStatement((sql) => sent.push({ server: replica.name, sql }));
    }
    const never = 1e9;
    const run = await runOf(replicas, { patience: { ...patience, connectMs: never, queryMs: never } });
    run.begin();
    while (!sent.some(({ sql }) => sql.includes(statement))) await clock.pass(100);
    await clock.pass(500);
    const before = sent.length;
    // Without a created session no more answers arrive: a stop that waits for one does not end.
    if (!isMade) for (const replica of replicas) replica.fault({ kind: "stall", seconds: never });
    await clock.during(run.stop(false));
    const later = sent.slice(before);
    if (isMade) {
      // Drops run on all servers at the same time, and then the check whether the sessions are gone.
      const drops = later.slice(0, replicas.length);
      expect(drops.every(({ sql }) => sql.startsWith("DROP EVENT SESSION"))).toBe(true);
      for (const { name } of replicas) expect(later.filter(({ server }) => server === name)).toHaveLength(2);
      expect(later.filter(({ sql }) => /^(?:CREATE|ALTER)/u.test(sql))).toEqual([]);
    } else {
      expect(later).toEqual([]);
    }
    for (const replica of replicas) replica.fault({ kind: "stall", seconds: 0 });
    await clock.pass(10_000);
    for (const replica of replicas) expect(replica.sessions()).toEqual([]);
  });
});

describe("the end of the process", () => {
  test("drops the sessions; the next start makes captures of what was recorded", async () => {
    const replicas = await startReplicas();
    const dataDirectory = await mkdtemp(join(tmpdir(), "aglens-test-"));
    const first = await testService({ dataDirectory }, undefined, { clock, patience });
    await (await RunUnderTest.begin(first, clock, replicas)).until(isFlowing);
    await clock.during(first.end());
    for (const replica of replicas) expect(replica.sessions()).toEqual([]);
    const next = await testService({ dataDirectory });
    try {
      let files: readonly { readonly kind: string; readonly events: number }[] = [];
      await until(async () => {
        const { body } = await request(next.app).get("/api/v1/captures").expect(200);
        const [listed] = body.captures as { id: string; name: string; files: number }[];
        if (listed?.name !== "Test" || listed.files !== 3) return false;
        const { body: capture } = await request(next.app).get(`/api/v1/captures/${listed.id}`).expect(200);
        files = capture.files;
        return true;
      });
      expect(files.filter(({ kind, events }) => kind === "xel" && events > 0)).toHaveLength(2);
      const left = await request(next.app).get("/api/v1/live/leftovers").expect(200);
      expect(left.body.sessions).toEqual([]);
    } finally {
      await next.end();
      await rm(dataDirectory, { recursive: true });
    }
  });
});

test("the password is nowhere on disk and in no answer", async () => {
  const [primary, secondary] = await startReplicas();
  secondary.fault({ kind: "deny", permission: "VIEW SERVER STATE" });
  const run = await RunUnderTest.begin(service, clock, [primary, secondary]);
  const picture = await run.until(({ replicas }) => replicas[0]?.state === "reading");
  await run.stop();
  expect(JSON.stringify(picture)).not.toContain(PASSWORD);
  for (const entry of await readdir(service.config.dataDirectory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    // A capture's note is written aside and renamed meanwhile.
    const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0));
    expect(bytes.includes(PASSWORD), entry.name).toBe(false);
    expect(bytes.includes(Buffer.from(PASSWORD, "utf16le")), entry.name).toBe(false);
  }
});

/** The pictures of an answer of server-sent events. */
async function* picturesOf(answer: Response): AsyncGenerator<LivePicture> {
  let text = "";
  for await (const chunk of answer.body as ReadableStream<Uint8Array>) {
    text += new TextDecoder().decode(chunk);
    const events = text.split("\n\n");
    text = events.pop() as string;
    for (const event of events) {
      const data = /^event: picture\ndata: (.*)$/u.exec(event)?.[1];
      if (data !== undefined) yield LivePicture.parse(JSON.parse(data));
    }
  }
}

/** The summary of a capture after its analysis. */
async function analysed(id: string): Promise<Summary> {
  await until(async () => {
    const { body } = await request(service.app).get(`/api/v1/captures/${id}`).expect(200);
    if (body.state === "failed") throw new Error(body.problem.detail);
    return body.state === "ready";
  });
  return (await request(service.app).get(`/api/v1/captures/${id}/summary`).expect(200)).body;
}
