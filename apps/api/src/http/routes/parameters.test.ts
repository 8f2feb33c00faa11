import { describe, expect, test } from "vitest";
import type { z } from "zod";
import {
  CommitQuery,
  FindQuery,
  OverviewQuery,
  RowParameter,
  SlowestQuery,
  StatisticsQuery,
  WindowQuery,
} from "@aglens/engine/answers";
import {
  AuditQuery,
  CaptureListQuery,
  FleetQuery,
  DirectoryQuery,
  FileQuery,
  LibraryQuery,
} from "./parameters.ts";

test("without any parameter the defaults are those of the screens", () => {
  expect(OverviewQuery.parse({})).toEqual({ bins: 600, secondary: 0 });
  expect(WindowQuery.parse({})).toEqual({ limit: 20_000, bins: 1_000 });
  expect(CommitQuery.parse({})).toEqual({ limit: 20_000 });
  expect(StatisticsQuery.parse({})).toEqual({});
  expect(CaptureListQuery.parse({})).toEqual({ limit: 50, empty: "true", drafts: "with" });
  expect(AuditQuery.parse({})).toEqual({ limit: 100, q: "" });
  expect(DirectoryQuery.parse({})).toEqual({ returnTo: "/" });
  expect(LibraryQuery.parse({})).toEqual({
    view: "all",
    q: "",
    group: [],
    wait: [],
    owner: [],
    tag: [],
    sort: "-captured",
    offset: 0,
    limit: 100,
  });
  expect(SlowestQuery.parse({})).toEqual({
    sort: "remoteHarden",
    descending: "true",
    secondary: 0,
    limit: 50,
    offset: 0,
  });
});

test("a range is two numbers, as they come in an address", () => {
  expect(StatisticsQuery.parse({ from: "1.5", to: "-2" })).toEqual({ from: 1.5, to: -2 });
  expect(StatisticsQuery.safeParse({ from: "noon" }).success).toBe(false);
});

describe("bounds", () => {
  const cases: readonly (readonly [string, z.ZodObject, string, readonly number[], readonly number[]])[] = [
    ["overview", OverviewQuery, "bins", [1, 20_000], [0, 20_001, 1.5]],
    ["overview", OverviewQuery, "secondary", [0, 15], [-1, 16, 0.5]],
    ["window", WindowQuery, "limit", [0, 200_000], [-1, 200_001, 0.5]],
    ["window", WindowQuery, "bins", [1, 20_000], [0, 20_001]],
    ["commits", CommitQuery, "limit", [0, 200_000], [-1, 200_001, 0.5]],
    ["slowest", SlowestQuery, "limit", [1, 1_000], [0, 1_001, 1.5]],
    ["slowest", SlowestQuery, "offset", [0, 1e9], [-1, 0.5]],
    ["slowest", SlowestQuery, "secondary", [0, 15], [-1, 16]],
    ["captures", CaptureListQuery, "limit", [1, 200], [0, 201, 1.5]],
    ["library", LibraryQuery, "limit", [1, 200], [0, 201, 1.5]],
    ["library", LibraryQuery, "offset", [0, 1e6], [-1, 0.5]],
    ["fleet", FleetQuery, "days", [7, 732], [6, 733, 7.5]],
    ["audit", AuditQuery, "limit", [1, 1_000], [0, 1_001, 1.5]],
    ["audit", AuditQuery, "before", [1, 1e9], [0, 0.5]],
  ];
  test.each(cases)("of %s.%s", (_, schema, name, taken, refused) => {
    for (const value of taken)
      expect(schema.parse({ [name]: String(value) })).toMatchObject({ [name]: value });
    for (const value of refused) expect(schema.safeParse({ [name]: String(value) }).success).toBe(false);
  });

  test("of a row", () => {
    expect(RowParameter.parse("0")).toBe(0);
    expect(RowParameter.parse("4294967295")).toBe(0xffff_ffff);
    for (const text of ["-1", "4294967296", "1.5", "x"])
      expect(RowParameter.safeParse(text).success).toBe(false);
  });

  test("of texts", () => {
    const file = (changes: object): boolean => FileQuery.safeParse({ name: "a.xel", ...changes }).success;
    expect(file({ name: "x".repeat(1024), path: "x".repeat(4096), replaces: "x".repeat(40) })).toBe(true);
    for (const changes of [
      { name: "" },
      { name: "x".repeat(1025) },
      { path: "" },
      { path: "x".repeat(4097) },
      { replaces: "x".repeat(41) },
    ]) {
      expect(file(changes)).toBe(false);
    }
  });
});

test("texts of lists and of signing in have their bounds", () => {
  const takes = (schema: z.ZodObject, value: object): boolean => schema.safeParse(value).success;
  for (const [schema, name, most] of [
    [LibraryQuery, "q", 400],
    [LibraryQuery, "group", 400],
    [AuditQuery, "q", 200],
  ] as const) {
    expect(takes(schema, { [name]: "x".repeat(most) })).toBe(true);
    expect(takes(schema, { [name]: "x".repeat(most + 1) })).toBe(false);
  }
  const many = (count: number): string[] => Array.from({ length: count }, () => "x".repeat(400));
  expect(LibraryQuery.parse({ wait: "x", owner: ["a", "b"] })).toMatchObject({
    wait: ["x"],
    owner: ["a", "b"],
  });
  expect([takes(LibraryQuery, { owner: many(50) }), takes(LibraryQuery, { owner: many(51) })]).toEqual([
    true,
    false,
  ]);
  expect(takes(LibraryQuery, { owner: ["x".repeat(401)] })).toBe(false);
  const address = (length: number): object => ({ returnTo: `/${"x".repeat(length - 1)}` });
  expect([takes(DirectoryQuery, address(4096)), takes(DirectoryQuery, address(4097))]).toEqual([true, false]);
  const after = (time: number, id: number): object => ({ after: `${"1".repeat(time)} ${"a".repeat(id)}` });
  expect(takes(CaptureListQuery, after(40, 40))).toBe(true);
  expect([takes(CaptureListQuery, after(41, 1)), takes(CaptureListQuery, after(1, 41))]).toEqual([
    false,
    false,
  ]);
});

test("what to find is an LSN or an instant, one of the two", () => {
  expect(FindQuery.parse({ lsn: " 22:167 " })).toEqual({ lsn: "22:167" });
  expect(FindQuery.parse({ at: "5" })).toEqual({ at: 5 });
  for (const query of [{}, { lsn: "22:1", at: "5" }, { lsn: " " }, { lsn: "x".repeat(81) }]) {
    expect(FindQuery.safeParse(query).success).toBe(false);
  }
  expect(FindQuery.safeParse({ lsn: "x".repeat(80) }).success).toBe(true);
  expect(FindQuery.safeParse({}).error?.issues[0]?.message).toBe("Provide either lsn or at.");
});

test("an order that no screen has is refused", () => {
  expect(SlowestQuery.safeParse({ sort: "nothing" }).success).toBe(false);
  expect(SlowestQuery.safeParse({ descending: "yes" }).success).toBe(false);
  expect(SlowestQuery.parse({ descending: "false" }).descending).toBe("false");
});
