import { describe, expect, it } from "vitest";
import { addressOf, NO_ADDRESS, serverOf } from "./server-address.ts";

/** Host, port and instance of a text. */
function named(text: string) {
  const server = serverOf({ ...NO_ADDRESS, server: text });
  if (server === null) return null;
  const { encryption: _encryption, trustCertificate: _trust, ...name } = server;
  return name;
}

describe("the name of a server", () => {
  it("is read as DBAs write it", () => {
    expect(named("SQL1")).toEqual({ host: "SQL1" });
    expect(named(" sql1.corp.example\\PROD ")).toEqual({ host: "sql1.corp.example", instance: "PROD" });
    expect(named("10.0.0.4,14330")).toEqual({ host: "10.0.0.4", port: 14330 });
    expect(named("sql1:1434")).toEqual({ host: "sql1", port: 1434 });
    expect(named("tcp:sql1, 1433")).toEqual({ host: "sql1", port: 1433 });
    expect(named("fe80::1,1433")).toEqual({ host: "fe80::1", port: 1433 });
    expect(named("SQL1\\MSSQLSERVER")).toEqual({ host: "SQL1" });
  });

  it("is refused when it isn't an address", () => {
    for (const text of ["", "a b", "sql1,0", "sql1,70000", "https://sql1", "sql1\\a b"])
      expect(named(text)).toBeNull();
  });
});

describe("a server", () => {
  it("has the options of its connection", () => {
    const options = { encryption: "strict", trustCertificate: true, certificateName: " sql1.corp " } as const;
    expect(serverOf({ ...NO_ADDRESS, ...options, server: "SQL1" })).toEqual({
      host: "SQL1",
      encryption: "strict",
      trustCertificate: true,
      certificateName: "sql1.corp",
    });
    // Without encryption no certificate is shown.
    expect(serverOf({ ...NO_ADDRESS, server: "SQL1", encryption: "off", trustCertificate: true })).toEqual({
      host: "SQL1",
      encryption: "off",
      trustCertificate: false,
    });
  });

  it("is typed as it was read", () => {
    for (const text of ["sql1", "sql1\\PROD", "10.0.0.4,14330", "fe80::1,1433"]) {
      const server = serverOf({ ...NO_ADDRESS, server: text, trustCertificate: true });
      expect(server === null ? null : addressOf(server).server).toBe(text);
      expect(server === null ? null : addressOf(server).trustCertificate).toBe(true);
    }
  });
});
