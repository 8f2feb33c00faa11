import { describe, expect, it } from "vitest";
import { eventColumns, type EventSpec } from "../../../test/events.ts";
import { prepareEvents } from "../prepare/prepared-events.ts";
import type { ServerInput } from "../prepare/server-input.ts";
import { findReplicas, sideOf as sideOfPrepared } from "./replica-ids.ts";

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
    expect(replica.input).toMatchObject({ name: "SQL1", prepared: { length: 3 } });
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

  it("of one name, or without one, are in the order of their ids, else of the caller's ids, else of time", () => {
    const inOrder = (...inputs: ServerInput[]): (string | undefined)[] =>
      findReplicas(inputs).map(
        ({ ids, input }) => ids[0] ?? input?.id ?? String(input?.prepared.examples.start[0]),
      );
    const both = (a: ServerInput, b: ServerInput) => [inOrder(a, b), inOrder(b, a)];
    const nameless = (...events: EventSpec[]): ServerInput => ({ columns: eventColumns(events) });
    expect(
      both(server("x", event("commitManagerHarden", "b")), server("x", event("commitManagerHarden", "a"))),
    ).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
    // A server that has several ids counts by the first of them; without any the caller's counts.
    const two = nameless(event("commitManagerHarden", "d"), event("commitManagerHarden", "b"));
    const given = { ...nameless(event("flushStart")), id: "c" };
    expect(both(two, given)).toEqual([
      ["b", "c"],
      ["b", "c"],
    ]);
    const at = (us: number): ServerInput => nameless({ kind: "flushStart", at: us });
    expect(both(at(10), at(20))).toEqual([
      ["10", "20"],
      ["10", "20"],
    ]);
    // Replicas are sorted by name, then by id; one without a name is first.
    expect(both({ ...at(1), name: "y", id: "a" }, { ...at(1), name: "x", id: "b" })[1]).toEqual(["b", "a"]);
    expect(both({ ...at(1), id: "z" }, { ...at(1), name: "x", id: "b" })[1]).toEqual(["z", "b"]);
  });

  it("that share an id have the first of their names, and those that only others name come in the order of their ids", () => {
    const one = server("SQL9", event("receiveHarden", "a", "z"), event("receiveHarden", "a", "c"));
    const same = server("SQL1", event("receiveHarden", "a", "y"));
    const expected = [["SQL1", ["a"]], ...["c", "y", "z"].map((id) => [null, [id]])];
    expect(found(one, same)).toEqual(expected);
    expect(found(same, one)).toEqual(expected);
    expect(found({ columns: one.columns }, same)).toEqual(expected);
  });

  it("that name nobody take the ids that are left in the order of these, whichever server names them", () => {
    const primaries = [
      server("SQL1", event("receiveHarden", "a", "z")),
      server("SQL2", event("receiveHarden", "b", "y")),
    ];
    const known = [
      ["SQL1", ["a"]],
      ["SQL2", ["b"]],
    ];
    expect(found(...primaries)).toEqual([...known, [null, ["y"]], [null, ["z"]]]);
    expect(found(...primaries, server("SQL4", event("apply")), server("SQL3", event("apply")))).toEqual([
      ...known,
      ["SQL3", ["y"]],
      ["SQL4", ["z"]],
    ]);
    // An empty id from the caller counts as no id.
    expect(found(...primaries, { ...server("SQL3", event("apply")), id: "" })[2]).toEqual(["SQL3", ["y"]]);
  });

  it("need at least one file", () => {
    expect(() => findReplicas([])).toThrow(/no file/);
  });
});

describe("the side of a server", () => {
  const sideOf = (input: ServerInput) =>
    sideOfPrepared({ ...input, columns: undefined, prepared: prepareEvents(input.columns) });

  it("is what its events show, the given one where they show both or none", () => {
    expect(sideOf(server("x", event("capture")))).toBe("primary");
    expect(sideOf({ ...server("x", event("apply")), role: "primary" })).toBe("secondary");
    const both = server("x", event("capture"), event("apply"));
    expect(sideOf(both)).toBeUndefined();
    expect(sideOf({ ...both, role: "secondary" })).toBe("secondary");
    expect(sideOf({ ...server("x", event("flushStart")), role: "primary" })).toBe("primary");
  });
});
