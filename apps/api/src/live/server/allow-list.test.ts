import { describe, expect, test } from "vitest";
import { readAllowList } from "./allow-list.ts";

describe("without AGLENS_LIVE_HOSTS", () => {
  test.each(["127.0.0.1", "localhost", "::1"])("an API on %s may attach anywhere", (boundTo) => {
    const list = readAllowList(undefined, boundTo);
    expect(list.allowance).toMatchObject({ enabled: true, anyHost: true });
    expect(list.permits("sql1.example", 1433)).toBe(true);
  });

  test.each(["0.0.0.0", "::", "10.1.2.3"])("an API on %s may attach nowhere", (boundTo) => {
    const list = readAllowList("", boundTo);
    expect(list.allowance.enabled).toBe(false);
    expect(list.allowance.reason).toContain("AGLENS_LIVE_HOSTS");
    expect(list.permits("127.0.0.1", 1433)).toBe(false);
  });
});

test("hosts, ports and suffixes", () => {
  const list = readAllowList("SQL1, sql2:14330, *.corp.example", "0.0.0.0");
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
  expect(readAllowList("sql1:1433", "0.0.0.0").permits("sql1", null)).toBe(false);
  expect(readAllowList("sql1", "0.0.0.0").permits("sql1", null)).toBe(true);
});

test("a star permits all, an address of IPv6 is one host", () => {
  expect(readAllowList("*", "0.0.0.0").permits("anything", 1)).toBe(true);
  expect(readAllowList("fe80::1", "0.0.0.0").permits("FE80::1", 1433)).toBe(true);
});
