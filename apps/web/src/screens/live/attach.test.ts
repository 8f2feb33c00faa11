import type { LiveCheck, LiveReplicaProposal } from "@aglens/contract";
import { describe, expect, it } from "vitest";
import { type CheckState, connectionOf, newServer, proposalsOf, serverName } from "./attach.ts";

describe("the name of a server", () => {
  it("is read as DBAs write it", () => {
    expect(serverName("SQL1")).toEqual({ host: "SQL1" });
    expect(serverName(" sql1.corp.example\\PROD ")).toEqual({ host: "sql1.corp.example", instance: "PROD" });
    expect(serverName("10.0.0.4,14330")).toEqual({ host: "10.0.0.4", port: 14330 });
    expect(serverName("sql1:1434")).toEqual({ host: "sql1", port: 1434 });
    expect(serverName("tcp:sql1, 1433")).toEqual({ host: "sql1", port: 1433 });
    expect(serverName("fe80::1,1433")).toEqual({ host: "fe80::1", port: 1433 });
    expect(serverName("SQL1\\MSSQLSERVER")).toEqual({ host: "SQL1" });
  });

  it("is refused when it is none", () => {
    for (const text of ["", "a b", "sql1,0", "sql1,70000", "https://sql1", "sql1\\a b"])
      expect(serverName(text)).toBeNull();
  });
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
  const replica = (name: string, isThisServer: boolean): LiveReplicaProposal => ({
    replicaId: name.toLowerCase(),
    serverName: name,
    group: "ag",
    role: isThisServer ? "primary" : "secondary",
    commitMode: "sync",
    isThisServer,
    connected: true,
  });
  const answered = (serverName: string, replicas: LiveReplicaProposal[]): CheckState => ({
    is: "answered",
    check: { serverName, replicas } as LiveCheck,
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
