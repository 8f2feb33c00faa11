import { describe, expect, test } from "vitest";
import { eventColumns, type EventSpec } from "../../test/events.ts";
import { IdsOfParts } from "./ids.ts";

/** Ids with the number of events that name each. */
type Named = Readonly<Record<string, number>>;

/** A number of ids, each named by the same number of events. */
const ids = (prefix: string, count: number, events: number): Named =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}-${i}`, events]));

const namedBy = (column: "database" | "partner" | "self" | "group", named: Named): EventSpec[] =>
  Object.entries(named).flatMap(([id, events]) =>
    Array.from({ length: events }, (): EventSpec => ({ kind: "capture", at: 1, took: 0, [column]: id })),
  );

function idsOf(...events: readonly (readonly EventSpec[])[]): IdsOfParts {
  const found = new IdsOfParts();
  for (const part of events) found.add(eventColumns(part));
  return found;
}

const leftOut = (...events: readonly EventSpec[][]): string[] => [...idsOf(events.flat()).ofDamage()].sort();

describe("databases", () => {
  test("of a server are up to 500", () => {
    expect(leftOut(namedBy("database", ids("db", 500, 4)))).toEqual([]);
    expect(() => leftOut(namedBy("database", ids("db", 501, 4)))).toThrow(
      "The events name 501 availability databases. A server has no more than 500. They are damaged, or their ids are stored in a way that AG Lens can't read.",
    );
  });

  test("may be quiet: 32 of them, or half of all", () => {
    expect(leftOut(namedBy("database", ids("quiet", 32, 3)))).toEqual([]);
    expect(leftOut(namedBy("database", { ...ids("quiet", 60, 1), ...ids("db", 60, 4) }))).toEqual([]);
    expect(() => leftOut(namedBy("database", ids("quiet", 33, 3)))).toThrow(
      "The events name 33 availability databases, 33 of them in no more than 3 events. They are damaged",
    );
    expect(() => leftOut(namedBy("database", { ...ids("quiet", 61, 1), ...ids("db", 60, 4) }))).toThrow(
      "121 availability databases, 61 of them",
    );
  });

  test("with few events are left out where there are more than a server has", () => {
    const events = namedBy("database", { ...ids("db", 490, 4), ...ids("flipped", 11, 2) });
    expect(leftOut(events)).toEqual(Object.keys(ids("flipped", 11, 2)).sort());
  });

  test("that come in several parts are counted together", () => {
    const part = namedBy("database", ids("db", 33, 2));
    expect(idsOf(part, part).ofDamage().size).toBe(0);
    expect(() => idsOf(part).ofDamage()).toThrow("33 of them");
  });

  test("are refused before all events have come where there are far too many", () => {
    expect(() => idsOf(namedBy("database", ids("db", 1_000, 1)))).not.toThrow();
    expect(() => idsOf(namedBy("database", ids("db", 1_001, 1)))).toThrow(
      "name 1,001 availability databases",
    );
  });
});

describe("replicas", () => {
  const oneDatabase = namedBy("database", { sales: 4 });

  test("of a group are up to 16, the server's own id among them", () => {
    const own = namedBy("self", { own: 4 });
    expect(leftOut(oneDatabase, own, namedBy("partner", ids("replica", 15, 4)))).toEqual([]);
    expect(() => leftOut(oneDatabase, own, namedBy("partner", ids("replica", 16, 4)))).toThrow(
      "The events name 17 availability replicas. A server has no more than 16.",
    );
  });

  test("of a server in several groups are as many in each", () => {
    const twoDatabases = namedBy("database", { sales: 4, stock: 4 });
    expect(leftOut(twoDatabases, namedBy("partner", ids("replica", 32, 4)))).toEqual([]);
    expect(() => leftOut(twoDatabases, namedBy("partner", ids("replica", 33, 4)))).toThrow("33");
  });

  test("that a flipped bit made are left out where there are more than a group has", () => {
    const partners = namedBy("partner", { first: 4, second: 400, ...ids("flipped", 20, 1) });
    expect(leftOut(oneDatabase, partners)).toEqual(Object.keys(ids("flipped", 20, 1)).sort());
    expect(leftOut(oneDatabase, namedBy("partner", { first: 4, flipped: 1 }))).toEqual([]);
  });

  test("are refused where most are named by next to no event", () => {
    const partners = namedBy("partner", { first: 400, ...ids("flipped", 33, 1) });
    expect(() => leftOut(oneDatabase, partners)).toThrow("34 availability replicas, 33 of them");
  });
});

test("groups are refused where most are named by next to no event", () => {
  expect(() => leftOut(namedBy("group", ids("group", 33, 1)))).toThrow("33 availability groups, 33 of them");
});
