import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LiveServer } from "@aglens/contract";
import { TestClock } from "@aglens/fixtures/clock";
import { startStandIn } from "@aglens/fixtures/replica-standin";
import type { StandIn } from "@aglens/fixtures/replica-standin";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { attach } from "../../../test/live-run.ts";
import { until } from "../../../test/until.ts";
import { PATIENCE } from "./connection.ts";
import { LiveFailure } from "./failure.ts";
import { LeftNotes, notesInFile } from "./left-notes.ts";
import { LeftSessions } from "./left-sessions.ts";
import type { LeftBehind } from "./left-sessions.ts";

const DENIED = new LiveFailure("live-permission", "The login may not drop it.");
const LOST = new LiveFailure("live-connection-lost", "It was lost.");

let folder: string;
let path: string;
let clock: TestClock;
let failures: unknown[];
let left: LeftSessions;
const open = (patience = { connectMs: 1, queryMs: 1, pollMs: 1, cancelMs: 1 }): LeftSessions =>
  new LeftSessions(clock, patience, new LeftNotes(notesInFile(path), (error) => failures.push(error)));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "aglens-left-"));
  path = join(folder, "left.json");
  clock = new TestClock();
  failures = [];
  left = open();
});
afterEach(async () => {
  await left.close();
  await rm(folder, { recursive: true });
});

const behind = (name: string, session: string, failure: LiveFailure): LeftBehind => ({
  server: LiveServer.parse({ host: "127.0.0.1", port: 9 }),
  login: { kind: "sql", user: "lens", password: "never shown" },
  name,
  session,
  failure,
});
const anybody = (): boolean => true;
const names = (): string[] => left.list(anybody).map(({ server, session }) => `${server} ${session}`);

test("what was lost is tried again after a second or so, what was refused is not", () => {
  left.add(behind("SQL1", "one", LOST));
  left.add(behind("SQL2", "two", DENIED));
  expect(left.list(anybody)).toMatchObject([
    { server: "SQL1", problem: "It was lost.", tries: 0, isTriedAgain: true },
    {
      server: "SQL2",
      problem: "The login may not drop it.",
      tries: 0,
      retryIn: null,
      isTriedAgain: false,
      sql: "DROP EVENT SESSION [two] ON SERVER;",
    },
  ]);
  const [first] = left.list(anybody);
  expect([1, 2]).toContain(first?.retryIn);
  expect(clock.waiting).toBe(1);
  left.forget(first?.id ?? "");
  expect([names(), clock.waiting]).toEqual([["SQL2 two"], 0]);
});

test("a check of a server takes off the list what that server has no more, and nothing of another", () => {
  for (const [name, session] of [
    ["SQL1", "gone"],
    ["SQL1", "there"],
    ["SQL2", "gone"],
  ] as const)
    left.add(behind(name, session, DENIED));
  // The checked server may be another one of this name.
  left.add(behind("SQL1", "tried again", LOST));
  left.takeCheck("SQL1", ["there", "other"]);
  expect(names()).toEqual(["SQL1 there", "SQL2 gone", "SQL1 tried again"]);
});

test("a session of a run that was cut off is listed once", () => {
  left.takeCutOff("SQL1", "one");
  left.takeCutOff("SQL1", "one");
  left.takeCutOff("SQL1", "two");
  left.takeCutOff("SQL2", "one");
  expect(names()).toEqual(["SQL1 one", "SQL1 two", "SQL2 one"]);
  expect(left.list(anybody)[0]).toMatchObject({
    problem: "AG Lens ended unexpectedly while it read the session.",
    isTriedAgain: false,
    retryIn: null,
  });
});

test("the list is known to the next process, without a login; what is closed takes nothing more", async () => {
  left.add(behind("SQL1", "one", LOST));
  left.takeCutOff("SQL2", "two");
  await left.close();
  left.add(behind("SQL3", "three", LOST));
  expect([left.list(anybody), clock.waiting]).toEqual([[], 0]);
  expect(await readFile(path, "utf8")).not.toMatch(/never shown|lens|127\.0/u);
  left = open();
  await left.recover();
  expect(left.list(anybody)).toMatchObject([
    { server: "SQL1", session: "one", problem: "It was lost.", isTriedAgain: false },
    { server: "SQL2", session: "two" },
  ]);
});

test("a list that cannot be read is none, one that cannot be written is reported", async () => {
  await writeFile(path, '{"sessions":[{"id":1}]}');
  await left.recover();
  expect(left.list(anybody)).toEqual([]);
  await rm(folder, { recursive: true });
  left.takeCutOff("SQL1", "one");
  await left.close();
  expect(failures).toMatchObject([{ code: "ENOENT" }]);
  folder = await mkdtemp(join(tmpdir(), "aglens-left-"));
});

describe("when it is tried again", () => {
  const SESSION = "aglens_here_20261101T0101Z_0a1b";
  let standIn: StandIn;
  const start = async (name: string, port = 0): Promise<void> => {
    standIn = await startStandIn({ clock, name, port, sessions: [{ name: SESSION, running: true }] });
  };
  const sessions = (): string[] => standIn.sessions().map(({ name }) => name);
  const leave = async (): Promise<void> => {
    await left.close();
    left = open(PATIENCE);
    const { server } = attach(standIn);
    const login = { kind: "sql", user: standIn.user, password: standIn.password } as const;
    left.add({ server: LiveServer.parse(server), login, name: "SQL1", session: SESSION, failure: LOST });
  };
  /** Lets time pass until something is so; sockets take theirs. */
  const passUntil = (is: () => boolean): Promise<void> =>
    until(async () => {
      await clock.pass(250, 250);
      return is();
    });
  afterEach(() => standIn.close());

  test("a login that is refused is not sent a second time: servers lock logins that fail too often", async () => {
    await start("SQL1");
    standIn.fault({ kind: "refuseLogins", number: 18456 });
    await leave();
    await passUntil(() => left.list(anybody)[0]?.problem !== LOST.message);
    expect(left.list(anybody)).toMatchObject([
      { session: SESSION, tries: 1, retryIn: null, isTriedAgain: false },
    ]);
    await clock.pass(180_000, 1_000);
    expect(left.list(anybody)).toMatchObject([{ session: SESSION, tries: 1 }]);
  });

  test("a session that an earlier process left is dropped by a login for its server, and none of another", async () => {
    await start("SQL1");
    left.takeCutOff("SQL1", SESSION);
    left.takeCutOff("SQL2", SESSION);
    await left.close();
    left = open(PATIENCE);
    await left.recover();
    const login = { kind: "sql", user: standIn.user, password: standIn.password } as const;
    await left.takeAccess("SQL1", () =>
      Promise.resolve({ server: LiveServer.parse(attach(standIn).server), login }),
    );
    await passUntil(() => names().length === 1);
    expect(sessions()).toEqual([]);
    expect(left.list(anybody)).toMatchObject([{ server: "SQL2", isTriedAgain: false }]);
  });

  test("nothing is dropped of another server at the same address, and the first one's session is not forgotten", async () => {
    await start("SQL9");
    await leave();
    await passUntil(() => left.list(anybody)[0]?.problem !== LOST.message);
    expect(sessions()).toEqual([SESSION]);
    expect(standIn.statements().filter((sql) => sql.startsWith("DROP EVENT SESSION"))).toEqual([]);
    expect(left.list(anybody)).toMatchObject([
      {
        server: "SQL1",
        session: SESSION,
        problem: expect.stringContaining("is SQL9 now and was SQL1"),
        isTriedAgain: true,
      },
    ]);
    // The name moves back.
    const { port } = standIn;
    await standIn.close();
    await start("SQL1", port);
    await passUntil(() => left.list(anybody).length === 0);
    expect(sessions()).toEqual([]);
  });
});
