/** A live run that reads AlwaysOn_health of its replicas. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import request from "supertest";
import { TestClock } from "@aglens/fixtures/clock";
import { startGroup } from "@aglens/fixtures/replica-standin";
import type { GroupOptions, StandInGroup } from "@aglens/fixtures/replica-standin";
import { Capture, type LivePicture } from "@aglens/contract";
import { decodeFacts } from "@aglens/evidence";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isFlowing, RunUnderTest } from "../../../test/live-run.ts";
import { testService } from "../../../test/service.ts";
import type { TestService } from "../../../test/service.ts";
import { stubAnalyzer } from "../../../test/stub-analyzer.ts";

const READS = "fn_xe_file_target_read_file";

let clock: TestClock;
let service: TestService;
let group: StandInGroup;
beforeEach(async () => {
  clock = new TestClock();
  service = await testService({}, stubAnalyzer(), { clock });
});
afterEach(async () => {
  await clock.during(service.end());
  await group.close();
});

/** A run of two replicas whose first polls were read. */
async function begin(options: GroupOptions = {}): Promise<RunUnderTest> {
  group = await startGroup({ blocksPerSecond: 15, dispatchMs: 250, clock, ...options });
  const run = await RunUnderTest.begin(service, clock, group.replicas);
  await run.until((p) => isFlowing(p) && p.polls.length > 4);
  return run;
}

async function switchTo(run: RunUnderTest, isOn: boolean, control = run.control): Promise<number> {
  const { status } = await request(service.app)
    .post(`/api/v1/live/runs/${run.id}/health`)
    .set("x-aglens-control", control)
    .send({ isOn });
  return status;
}

const isReadBy =
  (...indexes: number[]) =>
  ({ replicas }: LivePicture): boolean =>
    indexes.every((index) => replicas[index]?.health.readSeconds !== null);

const readings = (replica: number): number =>
  (group.replicas[replica]?.statements() ?? []).filter((sql) => sql.includes(READS)).length;

test("AlwaysOn_health isn't read before a user with the control key asks for it, and not after that ends", async () => {
  const run = await begin();
  await clock.pass(15_000);
  expect([readings(0), readings(1)]).toEqual([0, 0]);
  expect((await run.picture()).replicas.map(({ health }) => health.state)).toEqual(["off", "off"]);
  expect(await switchTo(run, true, "no key")).toBe(401);
  expect(await switchTo(run, true)).toBe(204);
  const picture = await run.until(isReadBy(0, 1));
  expect(picture.readsHealth).toBe(true);
  expect(picture.replicas.map(({ health }) => health.state)).toEqual(["reading", "reading"]);
  await switchTo(run, false);
  const before = readings(0);
  await clock.pass(15_000);
  expect(readings(0)).toBe(before);
  expect((await run.picture()).readsHealth).toBe(false);
  await run.stop(false);
});

test("a failover by an expired lease is told with its cause, each event once with poll and session as sources", async () => {
  const run = await begin();
  await switchTo(run, true);
  await run.until(isReadBy(0, 1));
  const expiredAt = clock.now();
  group.expireLease(1, 6_000);
  const picture = await run.until(
    ({ happened }) => happened.filter(({ kind }) => kind === "role").length >= 4 && happened.some(({ server, sources }) => server === "SQL1" && sources.length > 1 && sources[0]?.file.includes("health")), // prettier-ignore
  );
  const expiredUs = (expiredAt - Date.parse(picture.origin)) * 1000;
  const told = picture.happened.map(({ kind, server, states, sources }) => [
    kind,
    server,
    states?.[1],
    sources.map(({ file }) => file.split(" ")[0]),
  ]);
  const both = ["AlwaysOn_health", "Polls"];
  expect(told).toEqual(
    expect.arrayContaining([
      ["lease", "SQL1", undefined, ["AlwaysOn_health"]],
      ["role", "SQL1", "RESOLVING_NORMAL", both],
      ["role", "SQL1", "SECONDARY_NORMAL", both],
      ["role", "SQL2", "PRIMARY_PENDING", ["AlwaysOn_health"]],
      ["role", "SQL2", "PRIMARY_NORMAL", both],
    ]),
  );
  // No change of a role is there a second time by the polls alone.
  expect(
    picture.happened.filter(
      ({ kind, sources }) => kind === "role" && sources.every(({ file }) => file.startsWith("Polls")),
    ),
  ).toEqual([]);
  const lease = picture.happened.find(({ kind }) => kind === "lease");
  // The run's time is the primary's by the events of data movement, which is known to some ms.
  expect(Math.abs((lease?.at ?? 0) - expiredUs)).toBeLessThan(100_000);
  expect(lease).toMatchObject({ group: "TestAG", text: "The lease of TestAG expired on SQL1." });
  // The stand-in's lease interval is 20 s.
  expect((lease?.at ?? 0) - (lease?.from ?? 0)).toBeCloseTo(20_000_000, -2);
  expect(picture.failovers).toMatchObject([
    { kind: "leaseTimeout", fromServer: "SQL1", toServer: "SQL2", group: "TestAG" },
  ]);
  const [failover] = picture.failovers;
  expect((failover?.until ?? 0) - (failover?.at ?? 0)).toBeCloseTo(6_000_000, -5);
  const kinds = failover?.events.map((index) => picture.happened[index]?.kind);
  expect(kinds).toEqual(["lease", "role", "role"]);
  const synchronized = picture.happened.find(
    ({ kind, sources }) =>
      kind === "synchronization" && sources.some(({ file }) => file.startsWith("AlwaysOn_health")),
  );
  expect(synchronized).toMatchObject({ server: "SQL2", database: "Sales", replica: "SQL1" });
  expect(synchronized?.text).toContain("Sales on SQL1 changed");
  await run.stop(false);
});

test("without the session, polls alone show roles, states and suspension", async () => {
  const run = await begin();
  group.setState(1, { suspended: "SUSPEND_FROM_USER" });
  const suspended = await run.until(({ happened }) => happened.length >= 2);
  expect(suspended.happened.map(({ kind, server, states }) => [kind, server, states])).toEqual(
    expect.arrayContaining([
      ["suspension", "SQL2", ["RESUMED", "SUSPENDED"]],
      ["synchronization", "SQL1", ["SYNCHRONIZED", "NOT SYNCHRONIZING"]],
    ]),
  );
  const [first] = suspended.happened.filter(({ kind }) => kind === "suspension");
  expect(first?.text).toBe("Data movement of Sales was suspended on SQL2 (SUSPEND_FROM_USER).");
  // Between two polls, which are a second apart.
  expect(first?.plusMinusUs).toBeLessThanOrEqual(1_500_000);
  expect(first?.sources).toMatchObject([{ file: "Polls of SQL2", text: null }]);
  group.setState(1, { suspended: null });
  const resumed = await run.until(({ happened }) =>
    happened.some(({ kind, states }) => kind === "suspension" && states?.[1] === "RESUMED"),
  );
  expect(resumed.happened.filter(({ kind }) => kind === "suspension")).toHaveLength(2);
  expect(resumed.failovers).toEqual([]);
  await run.stop(false);
});

test("only the last minute is read, later answers continue after the last block, also in the next file", async () => {
  const run = await begin();
  const record = (text: string, secondsAgo = 0): void => {
    group.health(0).record(
      "error_reported",
      { error_number: 35264, message: `Always On Availability Groups data movement for database '${text}' has been suspended for the following reason: "user".` }, // prettier-ignore
      clock.now() - secondsAgo * 1000,
    );
    group.health(0).dispatch();
  };
  record("Old", 61);
  record("Recent", 30);
  await switchTo(run, true);
  const databases = ({ happened }: LivePicture): (string | null)[] =>
    happened.filter(({ kind }) => kind === "suspension").map(({ database }) => database);
  const first = await run.until((picture) => databases(picture).length > 0);
  expect(databases(first)).toEqual(["Recent"]);
  group.health(0).roll();
  record("Next file");
  const next = await run.until((picture) => databases(picture).length > 1);
  expect(databases(next)).toEqual(["Recent", "Next file"]);
  await clock.pass(25_000);
  expect(databases(await run.picture())).toEqual(["Recent", "Next file"]);
  await run.stop(false);
});

test("what can't be read is a sentence with a statement at its replica, and the other replica is read", async () => {
  const run = await begin({ version: "2019" });
  const [primary, secondary] = group.replicas;
  primary?.fault({ kind: "failStatements", number: 300, with: READS, times: 1 });
  group.health(1).stop();
  await switchTo(run, true);
  const denied = await run.until(({ replicas }) => replicas.every(({ health }) => health.state === "failed"));
  expect(denied.replicas.map(({ health }) => health.problem)).toEqual([
    {
      detail: "Can't read AlwaysOn_health on SQL1: the login lacks VIEW SERVER STATE.",
      sql: "USE master; GRANT VIEW SERVER STATE TO [aglens];",
    },
    {
      detail: "AlwaysOn_health doesn't run on SQL2. Start it to read its events.",
      sql: "ALTER EVENT SESSION [AlwaysOn_health] ON SERVER STATE = START;",
    },
  ]);
  // The next reading works again.
  const again = await run.until(({ replicas }) => replicas[0]?.health.state === "reading");
  expect(again.replicas[1]?.health.state).toBe("failed");
  expect(secondary?.statements().filter((sql) => sql.includes(READS))).toEqual([]);
  await run.stop(false);
});

test("files that were deleted are a sentence; events that come again in a new file are there once", async () => {
  const run = await begin();
  const log = group.health(0);
  const lease = (): void => {
    log.record("availability_group_lease_expired", { availability_group_name: "TestAG" });
    log.dispatch();
  };
  lease();
  await switchTo(run, true);
  await run.until(({ happened }) => happened.some(({ kind }) => kind === "lease"));
  log.deleteFiles();
  const failed = await run.until(({ replicas }) => replicas[0]?.health.state === "failed");
  expect(failed.replicas[0]?.health.problem?.detail).toMatch(
    /^Can't read AlwaysOn_health on SQL1\. .* is invalid\..*\(error 25718\)/u,
  );
  log.roll();
  lease();
  const again = await run.until(({ happened }) => happened.filter(({ kind }) => kind === "lease").length > 1);
  expect(again.replicas[0]?.health.state).toBe("reading");
  await clock.pass(25_000);
  expect((await run.picture()).happened.filter(({ kind }) => kind === "lease")).toHaveLength(2);
  await run.stop(false);
});

describe("the capture of a run", () => {
  // Files are recognized for real.
  beforeEach(async () => {
    await clock.during(service.end());
    service = await testService({}, undefined, { clock });
  });

  const captureOf = async (id: string | null): Promise<Capture> => {
    const { body } = await request(service.app).get(`/api/v1/captures/${id}`).expect(200);
    return Capture.parse(body);
  };
  const evidenceOf = ({ files }: Capture) =>
    files
      .filter(({ kind }) => kind === "evidence")
      .map(({ name, evidenceFile }) => [
        name,
        evidenceFile?.server,
        evidenceFile?.state,
        evidenceFile?.events,
      ])
      .toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1));

  test("has the events of each server as a file of evidence, also that of the last minutes", async () => {
    const run = await begin();
    await switchTo(run, true);
    await run.until(isReadBy(0, 1));
    group.expireLease(1, 2_000);
    const { happened } = await run.until(
      ({ happened: events }) => events.some(({ kind }) => kind === "lease") && events.filter(({ kind }) => kind === "role").length >= 5, // prettier-ignore
    );
    const count = (server: string): number => happened.filter((event) => event.server === server).length;
    const expected = [
      ["SQL1_live_events.json", "SQL1", "used", count("SQL1")],
      ["SQL2_live_events.json", "SQL2", "used", count("SQL2")],
    ];
    const keeping = request(service.app)
      .post(`/api/v1/live/runs/${run.id}/captures`)
      .set("x-aglens-control", run.control)
      .send({ minutes: 1 });
    const { body: part } = await clock.during(keeping.then((answer) => answer));
    expect(evidenceOf(await captureOf(part.captureId))).toEqual(expected);
    expect(evidenceOf(await captureOf(await run.stop()))).toEqual(expected);
  });

  test("that was cut off has them too; without events there is no such file", async () => {
    const run = await begin();
    group.setState(1, { suspended: "SUSPEND_FROM_USER" });
    await run.until(({ happened }) => happened.length >= 2);
    // The events are written every 10 s.
    await clock.pass(12_000);
    const directory = join(service.config.dataDirectory, "live", run.id);
    const names = await readdir(directory);
    expect(names.filter((name) => name.startsWith("events_"))).toEqual(["events_0.json", "events_1.json"]);
    const facts = decodeFacts(await readFile(join(directory, "events_1.json")));
    expect(facts.file).toMatchObject({ server: "SQL2", kind: "alwaysOnHealth", state: "used" });
    expect(facts.groups.map(({ name }) => name)).toEqual(["TestAG"]);
    expect(facts.events.map(({ kind, states }) => [kind, states?.[1]])).toEqual([
      ["suspension", "SUSPENDED"],
    ]);
    await run.stop(false);
    await group.close();
    const calm = await begin();
    expect(evidenceOf(await captureOf(await calm.stop()))).toEqual([]);
  });
});
