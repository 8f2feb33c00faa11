/** Names, roles and commit modes of replicas, and the databases' ids on them. */
import { describe, expect, it } from "vitest";
import { eventColumns, type EventSpec } from "../../../test/events.ts";
import {
  blocksInARow,
  hopEvents,
  localEvents,
  secondaryEvents,
  type BlockPath,
} from "../../../test/paths.ts";
import { buildModel } from "../model.ts";
import type { ServerInput } from "../prepare/server-input.ts";
import type { Topology } from "../shapes/topology.ts";

type Mode = "sync" | "async";
type Names = Readonly<Record<string, string>>;

const renamed = (events: readonly EventSpec[], names: Names): EventSpec[] =>
  events.map((event) => ({
    ...event,
    ...(event.self === undefined ? {} : { self: names[event.self] }),
    ...(event.partner === undefined ? {} : { partner: names[event.partner] }),
  }));

/** Events of both servers for blocks that one sent to the other. */
function sent(paths: readonly BlockPath[], from: string, to: string): Readonly<Record<string, EventSpec[]>> {
  const names = { "primary-id": from, "secondary-id": to };
  return {
    [from]: renamed(
      paths.flatMap((path) => [...localEvents(path), ...hopEvents(path)]),
      names,
    ),
    [to]: renamed(
      paths.flatMap((path) => secondaryEvents(path)),
      names,
    ),
  };
}

const file = (events: readonly EventSpec[], name?: string): ServerInput => ({
  columns: eventColumns(events),
  ...(name === undefined ? {} : { name }),
});

const paths = blocksInARow(20);
const [first, second] = [paths.slice(0, 12), paths.slice(12)];

/** A topology with modes by replica id; each replica's name there is its id in capitals. */
const topologyOf = (modes: Readonly<Record<string, Mode>>): Topology => ({
  replicas: new Map(
    Object.entries(modes).map(([id, commitMode]) => [id, { name: id.toUpperCase(), commitMode }] as const),
  ),
  databases: new Map([["sales-id", "Sales"]]),
});

describe("two servers that change roles", () => {
  const [out, back] = [sent(first, "a", "b"), sent(second, "b", "a")];
  const files = (nameOfA?: string) => [
    file([...out["a"], ...back["a"]], nameOfA),
    file([...out["b"], ...back["b"]]),
  ];

  it("have the role of the first blocks that they take part in", () => {
    expect(buildModel(files("SQL1")).replicas.map(({ role }) => role)).toEqual(["primary", "secondary"]);
  });

  it("have the commit mode of the first blocks that were sent to them", () => {
    const modes = (ofA: Mode, ofB: Mode) =>
      buildModel(files(), topologyOf({ a: ofA, b: ofB })).replicas.map(({ commitMode }) => commitMode);
    expect(modes("async", "sync")).toEqual(["async", "sync"]);
    expect(modes("sync", "async")).toEqual(["sync", "async"]);
  });

  it("have the name of their file, else that of the topology, else a word", () => {
    const names = (...given: Parameters<typeof buildModel>) =>
      buildModel(...given).replicas.map(({ name }) => name);
    expect(names(files("SQL1"), topologyOf({ a: "sync", b: "sync" }))).toEqual(["SQL1", "B"]);
    expect(names(files(), topologyOf({ a: "sync" }))).toEqual(["A", "Secondary"]);
    expect(names(files())).toEqual(["Primary", "Secondary"]);
  });
});

describe("the clock of a server", () => {
  const both = sent(first, "a", "b");
  const files = [file(both["a"]), file(both["b"])];

  it("has the offset from UTC that the topology has of its replica, and none without it", () => {
    const topology = { ...topologyOf({ a: "sync", b: "sync" }), serverOffsets: new Map([["b", -210]]) };
    expect(buildModel(files, topology).replicas.map(({ utcOffsetMinutes }) => utcOffsetMinutes)).toEqual([
      undefined,
      -210,
    ]);
  });
});

describe("servers in several availability groups", () => {
  const inGroup = (database: string, local: number, events: readonly EventSpec[] = []): EventSpec[] =>
    events.map((event) => ({
      ...event,
      ...(event.database === undefined ? {} : { database }),
      ...(event.local === undefined ? {} : { local }),
    }));

  it("have the role of the first group's blocks, also where another server's clock is the capture's", () => {
    const [early, later] = [sent(paths.slice(0, 5), "b1", "a1"), sent(paths.slice(5), "a2", "b2")];
    const { replicas } = buildModel([
      file([...inGroup("sales", 3, early["a1"]), ...inGroup("hr", 4, later["a2"])], "A"),
      file([...inGroup("sales", 3, early["b1"]), ...inGroup("hr", 4, later["b2"])], "B"),
    ]);
    expect(replicas.map(({ name, role }) => [name, role])).toEqual([
      ["A", "secondary"],
      ["B", "primary"],
    ]);
  });

  it("have the commit mode of the first group that they are in", () => {
    const [toB, toC] = [sent(first, "a1", "b"), sent(second, "a2", "c")];
    const { replicas } = buildModel(
      [file([...inGroup("sales", 3, toB["a1"]), ...inGroup("hr", 4, toC["a2"])], "A")],
      topologyOf({ b: "sync", c: "async" }),
    );
    expect(replicas.map(({ ids, commitMode }) => [...ids, commitMode])).toContainEqual(["c", "async"]);
  });
});

describe("a primary that is never a secondary", () => {
  const toTwo = first.flatMap((path) => [
    ...localEvents(path),
    ...hopEvents(path),
    ...hopEvents(path, { secondary: "third-id", sendStart: 94, departed: 100, sendEnd: 270 }),
  ]);

  it("counts as synchronous; a replica of which nothing shows its mode has none", () => {
    const { replicas } = buildModel([file(toTwo)], topologyOf({ "secondary-id": "async" }));
    expect(replicas.map(({ name, commitMode }) => [name, commitMode])).toEqual([
      ["Primary", "sync"],
      ["SECONDARY-ID", "async"],
      ["Secondary 2", "undetermined"],
    ]);
  });

  it("has a counter by its own events, whatever another server's have", () => {
    const without = first
      .flatMap((path) => secondaryEvents(path))
      .map(({ at = 0, took = 0, ...event }): EventSpec => ({ ...event, published: at + took }));
    const { replicas } = buildModel([file(toTwo, "SQL1"), file(without, "SQL2")]);
    expect(replicas.map(({ name, hasCounter }) => [name, hasCounter])).toEqual([
      ["SQL1", true],
      ["SQL2", false],
      ["Secondary 2", false],
    ]);
  });

  it("is covered from its first event to its last, those without a file never", () => {
    const [primary, secondary] = buildModel([file(toTwo)]).replicas;
    expect(primary).toMatchObject({ hasCapture: true, hasCounter: true, events: toTwo.length });
    // From the first commit's first step (51 µs after its begin) to the last commit's end.
    expect([primary.from, primary.to]).toEqual([51, 115_000]);
    expect(secondary).toMatchObject({ hasCapture: false, hasCounter: false, events: 0 });
    expect([secondary.from, secondary.to]).toEqual([Number.NaN, Number.NaN]);
  });
});

describe("the databases", () => {
  it("have the topology's name, else a word, with a number where there are several", () => {
    const events = (database: string, local: number, of: readonly BlockPath[]): EventSpec[] =>
      of.flatMap((path) => [...localEvents({ ...path, local }), ...hopEvents({ ...path, database })]);
    const named = (list: readonly EventSpec[], topology = topologyOf({})) =>
      buildModel([file(list)], topology).databases.map(({ name, localIds }) => [name, ...localIds]);
    expect(named(events("sales-id", 6, first))).toEqual([["Sales", 6, -1]]);
    expect(named(events("other-id", 6, first))).toEqual([["Database", 6, -1]]);
    expect(named([...events("sales-id", 6, first), ...events("other-id", 7, second)])).toEqual([
      ["Sales", 6, -1],
      ["Database 2", 7, -1],
    ]);
  });

  it("are those of a replica's only id where no event of the group names a replica", () => {
    const onSecondary = first.flatMap((path) => secondaryEvents(path));
    const nameless = onSecondary.filter(({ self, partner }) => self === undefined && partner === undefined);
    const applied = first.map(({ at, block }): EventSpec => ({
      kind: "apply",
      mode: 2,
      took: 0,
      at: at + 4_000,
      block,
      database: "sales-id",
    }));
    const { databases } = buildModel([{ ...file([...nameless, ...applied], "SQL2"), id: "own-id" }]);
    expect(databases.map(({ id, replicaIds }) => [id, replicaIds])).toEqual([["sales-id", ["", "own-id"]]]);
  });
});
