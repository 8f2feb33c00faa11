import { readdir } from "node:fs/promises";
import { join } from "node:path";
import request from "supertest";
import { TestClock } from "@aglens/fixtures/clock";
import { SAMPLE_IDENTITY } from "@aglens/fixtures/options";
import { startGroup } from "@aglens/fixtures/replica-standin";
import type { StandIn, StandInGroup } from "@aglens/fixtures/replica-standin";
import { ContactProgress, FirstContact } from "@aglens/contract";
import type { ContactLine } from "@aglens/contract";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { attach, executeOn } from "../../../test/live-run.ts";
import { testService } from "../../../test/service.ts";
import type { TestService } from "../../../test/service.ts";
import { stubAnalyzer } from "../../../test/stub-analyzer.ts";
import { until } from "../../../test/until.ts";
import { STATEMENTS } from "../server/statements.ts";
import type { StatementName } from "../server/statements.ts";

/** Names that appear only here. */
const NAMES = {
  servers: ["ZORBA-SQL-PROD7", "KVASIR-SQL-PROD8"],
  group: "QUITO-AG",
  databases: ["Wombat payroll"],
};
const LOGIN = { user: "mallory-dba", password: "Xyzzy!plugh-42" };

let clock: TestClock;
let service: TestService;
let group: StandInGroup;
let primary: StandIn;
beforeEach(async () => {
  clock = new TestClock();
  service = await testService({}, stubAnalyzer(), { clock });
});
afterEach(async () => {
  await clock.during(service.end());
  await group.close();
});

/** A primary with one secondary, and a session that every instance has. */
async function start(options: Parameters<typeof startGroup>[0] = {}): Promise<void> {
  group = await startGroup({ clock, names: NAMES, login: LOGIN, ...options });
  primary = group.replicas[0]!;
  await executeOn(
    primary,
    "CREATE EVENT SESSION [system_health] ON SERVER ADD EVENT sqlserver.log_flush_start;",
  );
}

interface Heard {
  /** All data that the browser receives. */
  readonly raw: string;
  readonly progress: readonly ContactProgress[];
  readonly report: FirstContact;
}

const asking = (more: object = {}) =>
  request(service.app)
    .post("/api/v1/live/first-contacts")
    .send({ ...attach(primary), ...more });

async function contact(more: object = {}): Promise<Heard> {
  const answer = asking(more)
    .expect(200)
    .expect("content-type", /event-stream/u);
  const { text } = await clock.during(answer.then((each) => each));
  const events = [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gmu)];
  const of = (name: string): unknown[] =>
    events.filter(([, event]) => event === name).map(([, , json = ""]) => JSON.parse(json) as unknown);
  return {
    raw: text,
    progress: of("progress").map((each) => ContactProgress.parse(each)),
    report: FirstContact.parse(of("report")[0]),
  };
}

const lineOf = ({ report }: Heard, statement: string): ContactLine | undefined =>
  report.lines.find((line) => line.statement === statement);
const titled = (name: StatementName): string => STATEMENTS[name].title;
const withState = ({ report }: Heard, state: ContactLine["state"]): string[] =>
  report.lines.filter((line) => line.state === state).map(({ statement }) => statement);
const ownSessions = (): string[] =>
  primary
    .sessions()
    .map(({ name }) => name)
    .filter((name) => name !== "system_health");
const wasCreated = (): boolean =>
  primary.statements().some((sql) => sql.startsWith("CREATE EVENT SESSION [aglens_"));

/** Expects that no name of the server or its users is in a text. */
function expectNoNames(text: string): void {
  const { group: shown, primary: first, secondaryIds, databaseIds } = SAMPLE_IDENTITY;
  const secrets = [
    ...NAMES.servers,
    NAMES.group,
    ...NAMES.databases,
    LOGIN.user,
    LOGIN.password,
    shown.id,
    first.id,
    ...secondaryIds,
    ...databaseIds,
    primary.host,
    String(primary.port),
    "system_health",
    "aglens_",
    "Login failed",
    "script upgrade",
    "A connection attempt failed",
    "ldf",
  ];
  expect(secrets.filter((secret) => text.toLowerCase().includes(secret.toLowerCase()))).toEqual([]);
}

describe("a first contact", () => {
  test("that reads the stream has a line for each statement, tells no name, address, id or text, and leaves nothing behind", async () => {
    await start();
    group.setState(1, { disconnected: true });
    // Its text has the name of a login, as texts of errors have any name.
    primary.fault({ kind: "failStatements", number: 18401, with: "sys.dm_os_wait_stats" });
    const noted = new Set<string>();
    primary.onStatement((sql) => {
      if (sql.startsWith("ALTER EVENT SESSION"))
        void readdir(join(service.config.dataDirectory, "live")).then((names) =>
          names.forEach((name) => noted.add(name)),
        );
    });
    const heard = await contact({ readsStream: true });
    const { lines, left, text } = heard.report;
    expectNoNames(heard.raw);
    // The stand-in is built from the same documents, so its answers meet the expectations.
    expect(lines.filter(({ state }) => state !== "asExpected")).toMatchObject([
      { statement: titled("POLL_WAITS"), state: "failed", answer: "error 18401, state 1, severity 14" },
    ]);
    const statements = Object.values(STATEMENTS).flatMap(({ title, kind }) =>
      kind === "stream" ? [] : [title],
    );
    expect(lines.map(({ statement }) => statement)).toEqual(expect.arrayContaining(statements));
    const facts = { major: 16, session: "", logFiles: [], events: [], databases: [] };
    const sent = primary.statements();
    for (const name of ["topology", "POLL_WAITS", "LAST_STATEMENT", "STREAM"] as const)
      expect(sent, name).toContain(STATEMENTS[name].text(facts));
    expect(heard.progress.map(({ done }) => done)).toEqual(lines.map((_, i) => i + 1));
    expect(heard.progress.at(-1)?.of).toBe(lines.length);
    expect(left).toBeNull();
    expect(wasCreated()).toBe(true);
    expect(ownSessions()).toEqual([]);
    expect(text).toContain(
      "SQL Server 16.0.4205.1, Enterprise Edition (64-bit) (EngineEdition 3), Windows, case-insensitive collation",
    );
    expect(text).toContain("role_desc nvarchar, 8000 bytes, PRIMARY 1, SECONDARY 1");
    expect(lineOf(heard, "End of the stream")?.answer).toBe("error 25727, state 1, severity 16");
    expect(text).toMatch(/met {5}Payload bytes claimed/u);
    // A note for the next start, in case the process is killed meanwhile.
    expect(noted.size).toBe(1);
    expect(await readdir(join(service.config.dataDirectory, "live"))).toEqual([]);
  });

  test("that only asks creates nothing", async () => {
    await start();
    const heard = await contact();
    expect(wasCreated()).toBe(false);
    expect(withState(heard, "notTried")).toEqual(
      expect.arrayContaining([
        titled("createSession"),
        titled("dropSession"),
        "Rows of the stream",
        "End of the stream",
      ]),
    );
    expect(lineOf(heard, titled("createSession"))?.answer).toBe("not chosen");
    expect(lineOf(heard, titled("POLL_WAITS"))?.state).toBe("asExpected");
  });

  test.each([
    [1205, "error 1205, state 1, severity 13"],
    // KILL takes the connection along.
    [596, "error 596, state 1, severity 21"],
  ] as const)("goes on after error %i", async (number, answer) => {
    await start();
    primary.fault({ kind: "failStatements", number, with: "sys.dm_os_wait_stats" });
    const heard = await contact();
    expect(withState(heard, "failed")).toEqual([titled("POLL_WAITS")]);
    expect(heard.report.lines[0]).toMatchObject({ statement: titled("POLL_WAITS"), answer });
    expect(lineOf(heard, titled("replicaStates"))?.state).toBe("asExpected");
  });

  test("takes a lock request time out of what asks the cluster as expected", async () => {
    await start();
    primary.fault({ kind: "failStatements", number: 1222, with: "sys.master_files" });
    expect(lineOf(await contact(), titled("localDatabases"))).toMatchObject({
      state: "asExpected",
      answer: "error 1222, state 1, severity 16",
    });
  });

  test.each([
    ["comes late", { blocksPerSecond: 2, lateMs: 7_000 }],
    ["waits in the server's output buffer", { blocksPerSecond: 1, buffersOutput: true }],
  ])("says how old a row is that %s", async (_, options) => {
    await start(options);
    const line = lineOf(await contact({ readsStream: true }), "Age of rows");
    expect(line?.state).toBe("differs");
    expect(line?.differences[0]).toMatch(
      /rows below 8192 bytes came more than 2000 ms after their newest event/u,
    );
  });

  test("creates nothing for a login that could not drop it", async () => {
    await start({ deny: ["ALTER ANY EVENT SESSION", "DROP ANY EVENT SESSION"] });
    const heard = await contact({ readsStream: true });
    expect(wasCreated()).toBe(false);
    expect(lineOf(heard, titled("createSession"))).toMatchObject({
      state: "notTried",
      answer: "a permission is missing",
    });
  });

  test("expects no replicas in the catalog of a login that may not see definitions", async () => {
    await start({ deny: ["VIEW ANY DEFINITION"] });
    expect(lineOf(await contact(), titled("topology"))).toMatchObject({
      state: "asExpected",
      answer: "0 rows, 0 rows, 2 rows, 0 rows",
    });
  });

  test("hands a session that it can't drop to those that are tried again", async () => {
    await start();
    primary.fault({ kind: "failStatements", number: 1205, with: "DROP EVENT SESSION", times: 2 });
    const { report } = await contact({ readsStream: true });
    expect(report.left).toMatch(/^The event session aglens_\w+ could not be dropped\./u);
    expect(report.text).not.toContain("aglens_");
    await clock.pass(5_000);
    expect(ownSessions()).toEqual([]);
  });

  test("that nobody waits for any more drops its session", async () => {
    await start();
    const started = Promise.withResolvers<void>();
    primary.onStatement((sql) => {
      if (sql.includes("fn_MSxe_read_event_stream")) started.resolve();
    });
    const answer = asking({ readsStream: true });
    const gone = answer.then(
      () => {},
      () => {},
    );
    await clock.during(started.promise);
    expect(ownSessions()).toHaveLength(1);
    answer.abort();
    await clock.during(until(() => ownSessions().length === 0));
    await gone;
  });

  test("runs alone, and only against a host that is allowed", async () => {
    await start();
    const first = contact();
    await clock.during(until(() => primary.statements().length > 0));
    expect((await asking().expect(409)).body).toMatchObject({ code: "live-too-many-runs" });
    await first;
    const narrow = await testService({ liveHosts: "sql1.example" }, stubAnalyzer());
    try {
      await request(narrow.app).post("/api/v1/live/first-contacts").send(attach(primary)).expect(403);
    } finally {
      await narrow.end();
    }
  });
});
