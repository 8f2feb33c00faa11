import { describe, expect, test } from "vitest";
import { readConfig } from "../../settings/config.ts";
import { readAllowList } from "./allow-list.ts";

const listWith = (settings: Readonly<Record<string, string>>) => readAllowList(readConfig(settings, ""));
const listOf = (hosts: string) => listWith({ HOST: "0.0.0.0", AGLENS_LIVE_HOSTS: hosts });

describe("without AGLENS_LIVE_HOSTS", () => {
  test.each([
    {},
    { HOST: "localhost" },
    { HOST: "::1" },
    { HOST: "127.0.0.2" },
    { AGLENS_PUBLIC_URL: "http://localhost:4700" },
  ])("an API with %j may attach anywhere", (settings) => {
    const list = listWith(settings);
    expect(list.allowance).toMatchObject({ enabled: true, anyHost: true });
    expect(list.permits("sql1.example", 1433)).toBe(true);
  });

  test.each([
    { HOST: "0.0.0.0" },
    { HOST: "::" },
    { HOST: "10.1.2.3" },
    { AGLENS_PUBLIC_URL: "https://aglens.example" },
    { AGLENS_HOSTS: "aglens.example" },
    { AGLENS_TRUSTED_PROXIES: "127.0.0.1" },
  ])("an API with %j may attach nowhere", (settings) => {
    const list = listWith(settings);
    expect(list.allowance.enabled).toBe(false);
    expect(list.allowance.reason).toContain("AGLENS_LIVE_HOSTS");
    expect(list.permits("127.0.0.1", 1433)).toBe(false);
  });
});

test("hosts, ports and suffixes", () => {
  const list = listOf("SQL1, sql2:14330, *.corp.example");
  expect(list.permits("sql1", 1433)).toBe(true);
  expect(list.permits("sql1", 50_000)).toBe(true);
  expect(list.permits("sql2", 14_330)).toBe(true);
  expect(list.permits("sql2", null)).toBe(false);
  expect(list.permits("db.CORP.example", 1433)).toBe(true);
  expect(list.permits("corp.example", 1433)).toBe(false);
  expect(list.permits("evilcorp.example", 1433)).toBe(false);
  expect(list.permits("sql1.other", 1433)).toBe(false);
});

test("a port that is not known yet is none of those named", () => {
  expect(listOf("sql1:1433").permits("sql1", null)).toBe(false);
  expect(listOf("sql1").permits("sql1", null)).toBe(true);
});

test("a star permits all, an address of IPv6 is one host", () => {
  expect(listOf("*").permits("anything", 1)).toBe(true);
  expect(listOf("fe80::1").permits("FE80::1", 1433)).toBe(true);
});
