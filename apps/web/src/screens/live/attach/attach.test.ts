import type { LiveCheck, LiveReplicaProposal } from "@aglens/contract";
import { describe, expect, it } from "vitest";
import {
  canAttach,
  type CheckState,
  connectionOf,
  headlineOf,
  isTriedAgain,
  newServer,
  otherServer,
  pauseAfter,
  proposalsOf,
  readinessOf,
} from "./attach.ts";

const replica = (name: string, isThisServer: boolean): LiveReplicaProposal => ({
  replicaId: name.toLowerCase(),
  serverName: name,
  group: "ag",
  role: isThisServer ? "primary" : "secondary",
  commitMode: "sync",
  isThisServer,
  connected: true,
});

const checkOf = (serverName: string, replicas: LiveReplicaProposal[]): LiveCheck => ({
  serverName,
  productVersion: "16.0.4205.1",
  edition: "Enterprise Edition (64-bit)",
  login: "lens",
  grantee: "lens",
  hadrEnabled: true,
  missing: [],
  replicas,
  databases: [],
  missingEvents: [],
  sessions: [],
  leftovers: [],
  warnings: [],
});

it("names a server that is another replica than the one to attach", () => {
  const answered: CheckState = { is: "answered", check: checkOf("SQL2", []) };
  expect(otherServer(answered, "sql2")).toBeNull();
  expect(otherServer({ is: "busy" }, "SQL3")).toBeNull();
  expect(otherServer(answered, "SQL3")).toBe("This server is SQL2. Give the address of SQL3.");
});

const primary = { ...newServer("SQL1", null), user: "aglens", secret: "s3cret" };

describe("what is sent of a form", () => {
  it("has the login of the first server where that is wished", () => {
    const second = newServer("SQL2\\A", primary);
    expect(connectionOf(second, primary)).toEqual({
      server: { host: "SQL2", instance: "A", encryption: "required", trustCertificate: false },
      login: { kind: "sql", user: "aglens", password: "s3cret" },
    });
  });

  it("says what is missing", () => {
    expect(connectionOf({ ...primary, server: "" }, primary)).toContain("HOST");
    expect(connectionOf({ ...primary, user: " " }, primary)).toBe("Fill in the login.");
    expect(connectionOf({ ...primary, kind: "ntlm" }, primary)).toBe("Fill in the login.");
    expect(connectionOf({ ...primary, kind: "entra", secret: "" }, primary)).toBe("Fill in the login.");
  });
});

describe("replicas that are proposed", () => {
  const answered = (serverName: string, replicas: LiveReplicaProposal[]): CheckState => ({
    is: "answered",
    check: checkOf(serverName, replicas),
  });

  it("are those without a form yet, whatever the case of their names", () => {
    const listener = newServer("listener,1433", null);
    const checks = {
      [listener.key]: answered("SQL1", [
        replica("SQL1", true),
        replica("SQL2", false),
        replica("SQL3", false),
      ]),
    };
    expect(proposalsOf([listener], checks).map((r) => r.serverName)).toEqual(["SQL2", "SQL3"]);
    const added = newServer("sql2", listener);
    expect(proposalsOf([listener, added], checks).map((r) => r.serverName)).toEqual(["SQL3"]);
  });

  it("leave out a replica that answered at another address", () => {
    const [a, b] = [newServer("10.0.0.1", null), newServer("10.0.0.2", null)];
    const checks = {
      [a.key]: answered("SQL1", [replica("SQL1", true), replica("SQL2", false)]),
      [b.key]: answered("SQL2", [replica("SQL1", false), replica("SQL2", true)]),
    };
    expect(proposalsOf([a, b], checks)).toEqual([]);
  });
});

describe("what a server is ready for", () => {
  const form = newServer("SQL1", null);
  const missing = (blocking: boolean): LiveCheck["missing"][0] => ({
    permission: "X",
    purpose: "",
    consequence: "",
    blocking,
    grant: "GRANT X TO [lens];",
  });
  const sales = { id: "d", databaseId: 6, name: "Sales", group: "AG", isContainedSystem: false };
  const check = (change: Partial<LiveCheck>): CheckState => ({
    is: "answered",
    check: { ...checkOf("SQL1", []), databases: [sales], ...change },
  });
  const old = { fingerprint: "ab".repeat(32), name: "SSL_Self_Signed_Fallback" };

  it.each<[string, CheckState, boolean]>([
    ["not asked yet", { is: "open" }, false],
    ["ready", check({}), true],
    ["ready, with a limit", check({ missing: [missing(false)] }), true],
    ["ready, with a limit", check({ missingEvents: ["log_flush_start"] }), true],
    ["1 right missing", check({ missing: [missing(true), missing(false)] }), false],
    ["2 rights missing", check({ missing: [missing(true), missing(true)] }), false],
    // No database is named: everything would be recorded.
    ["needs a choice", check({ databases: [] }), false],
    ["needs a choice", { is: "refused", sentence: "", certificate: old }, false],
    ["refused", { is: "refused", sentence: "", certificate: null }, false],
    ["trying again in 9 s", { is: "waiting", sentence: "", tries: [0], nextAt: 9_500 }, false],
  ])("%s", (words, state, can) => {
    expect(readinessOf(form, state, 1_000).words).toBe(words);
    expect(canAttach(form, state)).toBe(can);
  });

  it("is more when the user chose every database, or a session that is there", () => {
    expect(readinessOf({ ...form, everyDatabase: true }, check({ databases: [] }), 0).words).toBe(
      "ready, with a limit",
    );
    expect(readinessOf({ ...form, session: "mine" }, check({ databases: [] }), 0).words).toBe("ready");
  });

  it("is counted in the headline", () => {
    const forms = [form, newServer("SQL2", form), newServer("SQL3", form)];
    const own = { ...replica("SQL1", true), group: "ORDERS-AG" };
    expect(headlineOf(forms, [{ is: "open" }, { is: "busy" }, { is: "open" }])).toBeNull();
    expect(
      headlineOf(forms, [
        check({ replicas: [own] }),
        { is: "waiting", sentence: "", tries: [0], nextAt: 1 },
        { is: "refused", sentence: "", certificate: old },
      ]),
    ).toEqual({
      title: "Attach to 3 replicas of ORDERS-AG",
      lead: "1 ready, 1 not ready yet, 1 needs you. The run may begin with what is ready.",
    });
  });
});

describe("a server that is not ready", () => {
  it("is asked again after 1, 2, 4, 8, 16 and 32 s, then once a minute", () => {
    expect([1, 2, 3, 4, 5, 6, 7, 100].map((tries) => pauseAfter(tries) / 1000)).toEqual([
      1, 2, 4, 8, 16, 32, 60, 60,
    ]);
  });

  it("is one that starts or is short of something, not one that refuses", () => {
    expect(["live-starting", "live-busy", "live-connection-lost"].every(isTriedAgain)).toBe(true);
    for (const code of ["live-login-refused", "live-certificate", "live-unreachable"])
      expect(isTriedAgain(code)).toBe(false);
  });
});

it("sends the old certificate that was accepted, and no other choice that was not made", () => {
  const form = { ...newServer("SQL1", null), user: "lens" };
  expect(connectionOf(form, form)).not.toHaveProperty("server.oldCertificate");
  const accepting = { ...form, oldCertificate: "ab".repeat(32) };
  expect(connectionOf(accepting, accepting)).toHaveProperty("server.oldCertificate", "ab".repeat(32));
  // It is of that server alone.
  expect(newServer("SQL2", accepting).oldCertificate).toBe("");
});
