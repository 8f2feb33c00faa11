import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import request from "supertest";
import { TestClock } from "@aglens/fixtures/clock";
import { startGroup, startStandIn } from "@aglens/fixtures/replica-standin";
import type { StandIn } from "@aglens/fixtures/replica-standin";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { attach, executeOn, RunUnderTest } from "../../test/live-run.ts";
import { testService } from "../../test/service.ts";
import type { TestService } from "../../test/service.ts";
import { stubAnalyzer } from "../../test/stub-analyzer.ts";
import { until } from "../../test/until.ts";

const HOUR_MS = 3_600_000;

let clock: TestClock;
let service: TestService;
let standIn: StandIn;
beforeEach(async () => {
  clock = new TestClock();
  standIn = await startStandIn({ clock, name: "SQL1" });
  service = await testService({}, stubAnalyzer(), { clock });
});
afterEach(async () => {
  await clock.during(service.end());
  await standIn.close();
});

const post = (path: string, body: object) => request(service.app).post(`/api/v1/live${path}`).send(body);
const begin = (): Promise<RunUnderTest> =>
  // It is in no group.
  RunUnderTest.begin(service, clock, [standIn], { everyDatabase: true });
const sessionNames = (): string[] => standIn.sessions().map(({ name }) => name);

describe("runs", () => {
  test("at most four go on at a time; one that is over makes room", async () => {
    const runs = [await begin(), await begin(), await begin(), await begin()];
    const fifth = { replicas: [attach(standIn)] };
    const { body } = await post("/runs", fifth).expect(409);
    expect(body).toMatchObject({ code: "live-too-many-runs" });
    await runs[2]?.stop(false);
    await post("/runs", fifth).expect(201);
  });

  test("on a server without availability databases record nothing, unless every database was chosen", async () => {
    const alone = await startStandIn({ clock, name: "ALONE" });
    try {
      const refused = await RunUnderTest.begin(service, clock, [alone]);
      const picture = await refused.until(({ replicas }) => replicas[0]?.state === "failed");
      expect(picture.replicas[0]?.problem?.code).toBe("live-every-database");
      expect(alone.statements().join()).not.toContain("CREATE EVENT SESSION");
      await refused.stop(false);
      const run = await RunUnderTest.begin(service, clock, [alone], { everyDatabase: true });
      await run.until(({ replicas }) => replicas[0]?.state === "reading");
      expect(alone.statements().join()).toContain("([database_id] > (4))");
      await run.stop(false);
    } finally {
      await alone.close();
    }
  });

  test("of a login that may not see definitions record the group's databases all the same", async () => {
    const group = await startGroup({ clock, secondaries: 0, deny: ["VIEW ANY DEFINITION"] });
    try {
      const run = await RunUnderTest.begin(service, clock, group.replicas);
      await run.until(({ replicas }) => replicas[0]?.state === "reading");
      const created = group.replicas[0]?.statements().find((sql) => sql.startsWith("CREATE EVENT SESSION"));
      expect(created).toContain("sqlserver.log_flush_start (WHERE ([database_id] = (6)))");
      await run.stop(false);
    } finally {
      await group.close();
    }
  });

  test("that cannot reach a server at their end go on dropping its session until it is gone", async () => {
    const run = await begin();
    await run.until(({ replicas }) => replicas[0]?.state === "reading");
    const [session] = sessionNames();
    const left = async (): Promise<Record<string, unknown>[]> =>
      (await request(service.app).get("/api/v1/live/leftovers").expect(200)).body.sessions;
    expect(await left()).toEqual([]);
    standIn.fault({ kind: "down", seconds: 300 });
    await run.stop(false);
    expect(await left()).toMatchObject([{ server: "SQL1", session, isTriedAgain: true }]);
    // No login, no address: the server's own name.
    expect(Object.keys((await left())[0] ?? {}).toSorted()).toEqual([
      "id",
      "isTriedAgain",
      "mayForget",
      "problem",
      "retryIn",
      "server",
      "session",
      "sql",
      "tries",
    ]);
    await clock.pass(60_000, 250);
    expect(sessionNames()).toEqual([session]);
    standIn.fault({ kind: "up" });
    await clock.pass(75_000, 250);
    expect(sessionNames()).toEqual([]);
    expect(await left()).toEqual([]);
  });

  test("leave sessions that are known after a restart, until a check finds them gone or somebody says so", async () => {
    const dataDirectory = await mkdtemp(join(tmpdir(), "aglens-left-"));
    const restarted = (): Promise<TestService> => testService({ dataDirectory }, stubAnalyzer(), { clock });
    const leftOf = async ({ app }: TestService): Promise<{ id: string; session: string }[]> =>
      (await request(app).get("/api/v1/live/leftovers").expect(200)).body.sessions;
    const check = async ({ app }: TestService): Promise<void> => {
      await request(app).post("/api/v1/live/checks").send(attach(standIn)).expect(200);
    };
    let api = await restarted();
    const sessions: string[] = [];
    for (const everyDatabase of [true, true]) {
      const run = await RunUnderTest.begin(api, clock, [standIn], { everyDatabase });
      await run.until(({ replicas }) => replicas[0]?.state === "reading");
      sessions.push(sessionNames().find((name) => !sessions.includes(name)) ?? "");
      standIn.fault({ kind: "down", seconds: 3_600 });
      await run.stop(false);
      standIn.fault({ kind: "up" });
      // The login was lost with the process, before the session was tried again.
      await clock.during(api.close());
      const text = await readFile(join(dataDirectory, "left-sessions.json"), "utf8");
      const { sessions: written } = JSON.parse(text) as { sessions: object[] };
      expect(Object.keys(written[0] ?? {})).toEqual(["id", "name", "session", "problem"]);
      api = await restarted();
    }
    const [first, second] = await leftOf(api);
    expect([first, second]).toMatchObject(
      sessions.map((session) => ({
        server: "SQL1",
        session,
        isTriedAgain: false,
        retryIn: null,
        sql: `DROP EVENT SESSION [${session}] ON SERVER;`,
      })),
    );
    await executeOn(standIn, `DROP EVENT SESSION [${sessions[0]}] ON SERVER;`);
    await check(api);
    expect(await leftOf(api)).toMatchObject([{ session: sessions[1] }]);
    await request(api.app).delete(`/api/v1/live/leftovers/${second?.id}`).expect(204);
    expect(await leftOf(api)).toEqual([]);
    await clock.during(api.close());
    api = await restarted();
    expect(await leftOf(api)).toEqual([]);
    await clock.during(api.close());
    await rm(dataDirectory, { recursive: true });
  });

  test("one that is over is shown for an hour, and then forgotten", async () => {
    const run = await begin();
    await run.until(({ replicas }) => replicas[0]?.state === "reading");
    await run.stop(false);
    clock.move(HOUR_MS - 1_000);
    expect((await run.picture()).state).toBe("stopped");
    clock.move(1_000);
    const { body } = await request(service.app).get(`/api/v1/live/runs/${run.id}`).expect(404);
    expect(body.code).toBe("live-run-not-found");
  });

  test("a session of a run that is over is a leftover, if it is still there", async () => {
    const run = await begin();
    await run.until(({ replicas }) => replicas[0]?.state === "reading");
    const [name] = sessionNames();
    expect((await post("/checks", attach(standIn)).expect(200)).body.leftovers).toEqual([]);
    standIn.fault({ kind: "deny", permission: "ALTER ANY EVENT SESSION" });
    standIn.fault({ kind: "deny", permission: "DROP ANY EVENT SESSION" });
    await run.stop(false);
    const { endings, replicas } = await run.picture();
    expect(endings[0]).toBe(
      `Session ${name} could not be dropped on SQL1: ${replicas[0]?.problem?.detail} Run there: DROP EVENT SESSION [${name}] ON SERVER;`,
    );
    expect(replicas[0]?.problem).toMatchObject({
      code: "live-left-behind",
      sql: `DROP EVENT SESSION [${name}] ON SERVER;`,
    });
    expect((await post("/checks", attach(standIn)).expect(200)).body.leftovers).toMatchObject([{ name }]);
  });

  test("the files of a run lie in a directory of its own until it ends", async () => {
    const live = join(service.config.dataDirectory, "live");
    const run = await begin();
    expect(await readdir(live)).toEqual([run.id]);
    await run.until(({ replicas }) => replicas[0]?.state === "reading");
    await until(async () => (await readdir(join(live, run.id))).includes("run.json"));
    // Without any event there is nothing to keep.
    expect(await run.stop(true)).toBeNull();
    expect((await run.picture()).endings.at(-1)).toBe("No event buffer arrived, so there is no capture.");
    expect(await readdir(live)).toEqual([]);
  });
});

describe("hosts", () => {
  test("a run on one that is not allowed is not begun, whichever of its replicas it is", async () => {
    const narrow = await testService({ liveHosts: `${standIn.host}:${standIn.port}` }, stubAnalyzer());
    const elsewhere = { ...attach(standIn), server: { host: standIn.host, port: 9 } };
    const { body } = await request(narrow.app)
      .post("/api/v1/live/runs")
      .send({ replicas: [attach(standIn), elsewhere] })
      .expect(403);
    expect(body).toMatchObject({ code: "live-not-allowed" });
    expect(body.detail).toContain(`${standIn.host}:9. AGLENS_LIVE_HOSTS permits`);
    expect(await readdir(narrow.config.dataDirectory)).not.toContain("live");
    expect(standIn.statements()).toEqual([]);
    await narrow.end();
  });

  test("of a named instance the port is not known, so an entry with a port does not allow it", async () => {
    const narrow = await testService({ liveHosts: "sql1.example:1433" }, stubAnalyzer());
    const server = { host: "sql1.example", instance: "PROD" };
    const { body } = await request(narrow.app)
      .post("/api/v1/live/checks")
      .send({ ...attach(standIn), server })
      .expect(403);
    expect(body.detail).toContain("sql1.example\\PROD");
    await narrow.end();
  });
});

test("a run that cannot be made a capture again does not keep the others from it", async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), "aglens-live-"));
  const live = join(dataDirectory, "live");
  await mkdir(join(live, "b-sound"), { recursive: true });
  // A file where a run's directory should be.
  await writeFile(join(live, "a-broken"), "");
  await writeFile(join(dataDirectory, "lock"), "");
  await writeFile(join(live, "b-sound/0_0000.xel"), "abc");
  // The process was ended after SQL1 got its session, and before SQL2 did.
  const replicas = [
    { name: "SQL1", role: "primary", session: "aglens_web01_20261121T0244Z_7f3a" },
    { name: "SQL2", role: "secondary" },
  ];
  const note = { title: "Night", replicas, topology: { replicas: [], databases: [] } };
  await writeFile(join(live, "b-sound/run.json"), JSON.stringify(note));
  const next = await testService({ dataDirectory }, stubAnalyzer());
  await until(async () => (await next.captures.records.all()).some(({ files }) => files[0]?.size === 3));
  const left = await request(next.app).get("/api/v1/live/leftovers").expect(200);
  expect(left.body.sessions).toMatchObject([
    { server: "SQL1", session: "aglens_web01_20261121T0244Z_7f3a", isTriedAgain: false },
  ]);
  await next.end();
  expect(await readdir(live)).toEqual(["a-broken"]);
  await rm(dataDirectory, { recursive: true });
});
