import type { LiveLogin, LiveServer } from "@aglens/contract";
import { LiveServer as ServerOf } from "@aglens/contract";
import { TestClock } from "@aglens/fixtures/clock";
import { beforeEach, describe, expect, test } from "vitest";
import { stubConnection } from "../../../test/stub-connection.ts";
import { LiveFailure } from "../server/failure.ts";
import { SESSION_STATE } from "../server/sql.ts";
import { ReplicaIdentity } from "./replica-identity.ts";
import { ReplicaSession } from "./replica-session.ts";
import type { SessionRequest } from "./replica-session.ts";

const serverAt = (host: string): LiveServer => ServerOf.parse({ host });
const login = (user: string): LiveLogin => ({ kind: "sql", user, password: "never shown" });

let clock: TestClock;
beforeEach(() => {
  clock = new TestClock();
});

const request = (host: string, newName: string, existing: string | null = null): SessionRequest => ({
  server: serverAt(host),
  existing,
  newName,
  withoutCommits: false,
  everyDatabase: false,
  clock,
  patience: { connectMs: 1, queryMs: 1, pollMs: 1, cancelMs: 1 },
});
const sessionOf = (asked: SessionRequest): ReplicaSession =>
  new ReplicaSession(asked, login("one"), new ReplicaIdentity(asked.server));

/** A server on which a session runs. */
const running = () =>
  stubConnection((sql) => (sql === SESSION_STATE ? [[{ name: "x", started_at: "2026-11-21" }]] : []));
const LOST = new LiveFailure("live-connection-lost", "lost");

describe("another address or login", () => {
  test("before a session was made is used as it was asked for", () => {
    const session = sessionOf(request("sql1", "first"));
    session.changeAccess(request("sql2", "second", "theirs"), login("two"));
    expect([session.name, session.isOwn]).toEqual(["theirs", false]);
    expect(session.leaveBehind(LOST)).toMatchObject({ server: { host: "sql2" }, login: { user: "two" } });
  });

  test("after it was made leads to the same session", async () => {
    const session = sessionOf(request("sql1", "first"));
    await session.start(running());
    expect([session.wasCreated, session.startedAt]).toEqual([true, clock.now()]);
    session.changeAccess(request("sql2", "second", "theirs"), login("two"));
    expect([session.name, session.isOwn]).toEqual(["first", true]);
    expect(session.leaveBehind(LOST)).toMatchObject({
      server: { host: "sql2" },
      login: { user: "two" },
      session: "first",
    });
  });
});

test("the session of somebody else is not started", async () => {
  const session = sessionOf(request("sql1", "first", "theirs"));
  const connection = running();
  await session.start(connection);
  expect(connection.asked).toEqual([]);
  expect([session.wasCreated, session.startedAt, session.dispatchMs]).toEqual([false, 0, 1_000]);
});

test("the end of what was never made names it", async () => {
  expect(await sessionOf(request("sql1", "first")).end()).toBe("No session was made on sql1:1433.");
  expect(await sessionOf(request("sql1", "first", "theirs")).end()).toBe(
    "AG Lens no longer reads the session theirs on sql1:1433, which was there before and still runs.",
  );
});

test("what is forgotten connects to nothing any more", async () => {
  const session = sessionOf(request("sql1", "first"));
  session.forget();
  expect(() => session.leaveBehind(LOST)).toThrow("its login was discarded");
  await expect(session.connect(new AbortController().signal)).rejects.toThrow("its login was discarded");
});
