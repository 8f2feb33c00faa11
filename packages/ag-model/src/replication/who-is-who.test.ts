import { describe, expect, it } from "vitest";
import { eventColumns, type EventSpec } from "../../test/events.ts";
import type { ServerInput } from "./server-input.ts";
import { findReplicas, sideOf } from "./who-is-who.ts";

const event = (kind: EventSpec["kind"], self?: string, partner?: string): EventSpec => ({
  kind,
  at: 1,
  took: 0,
  ...(self === undefined ? {} : { self }),
  ...(partner === undefined ? {} : { partner }),
});
const server = (name: string, ...events: EventSpec[]): ServerInput => ({
  name,
  columns: eventColumns(events),
});
const found = (...inputs: ServerInput[]) =>
  findReplicas(inputs).map(({ ids, input }) => [input?.name ?? null, [...ids]]);

describe("the replicas of a capture", () => {
  it("are the servers, by name, and then those that only others name", () => {
    const sql2 = server("SQL2", event("transportReceive", "b", "a"));
    const sql1 = server("SQL1", event("receiveHarden", "a", "b"), event("capture", undefined, "c"));
    const expected = [
      ["SQL1", ["a"]],
      ["SQL2", ["b"]],
      [null, ["c"]],
    ];
    expect(found(sql2, sql1)).toEqual(expected);
    expect(found(sql1, sql2)).toEqual(expected);
  });

  it("are one server where inputs share an id of their own, with all its ids and events", () => {
    const one = server("SQL1", event("receiveHarden", "a2", "b"), event("receiveHarden", "a1", "b"));
    const same = server("old", event("transportReceive", "a1", "b"));
    const [replica] = findReplicas([one, same]);
    expect(replica.ids).toEqual(["a1", "a2"]);
    expect(replica.input).toMatchObject({ name: "SQL1", columns: { length: 3 } });
  });

  it("that name nobody of their own take the caller's id, else the one that the other side names", () => {
    const primary = server("SQL1", event("receiveHarden", "a", "b"));
    expect(found(primary, server("SQL2", event("apply")))).toEqual([
      ["SQL1", ["a"]],
      ["SQL2", ["b"]],
    ]);
    expect(found(primary, { ...server("SQL2", event("apply")), id: "x" })).toEqual([
      ["SQL1", ["a"]],
      ["SQL2", ["x"]],
      [null, ["b"]],
    ]);
    expect(
      found(server("SQL1", event("capture")), server("SQL2", event("sendHarden", undefined, "a"))),
    ).toEqual([
      ["SQL1", ["a"]],
      ["SQL2", []],
    ]);
  });

  it("do not take an id that the caller gave to another server", () => {
    const primary = server("SQL1", event("receiveHarden", "a", "b"), event("receiveHarden", "a", "c"));
    expect(
      found(primary, { ...server("SQL2", event("apply")), id: "b" }, server("SQL3", event("apply"))),
    ).toEqual([
      ["SQL1", ["a"]],
      ["SQL2", ["b"]],
      ["SQL3", ["c"]],
    ]);
  });

  it("need at least one file", () => {
    expect(() => findReplicas([])).toThrow(/no file/);
  });
});

describe("the side of a server", () => {
  it("is what its events show, the given one where they show both or none", () => {
    expect(sideOf(server("x", event("capture")))).toBe("primary");
    expect(sideOf({ ...server("x", event("apply")), role: "primary" })).toBe("secondary");
    const both = server("x", event("capture"), event("apply"));
    expect(sideOf(both)).toBeUndefined();
    expect(sideOf({ ...both, role: "secondary" })).toBe("secondary");
    expect(sideOf({ ...server("x", event("flushStart")), role: "primary" })).toBe("primary");
  });
});
