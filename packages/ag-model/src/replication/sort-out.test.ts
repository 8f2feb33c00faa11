import { describe, expect, it } from "vitest";
import { eventColumns, type EventSpec } from "../../test/events.ts";
import { blocksInARow, hopEvents, localEvents, secondaryEvents } from "../../test/paths.ts";
import { buildModel } from "./model.ts";
import { ModelError } from "./model-error.ts";
import type { ReplicaInput } from "./replica-input.ts";
import { readTopology } from "./topology.ts";

const paths = blocksInARow(3);
const primaryOf = (...secondaries: string[]): EventSpec[] =>
  paths.flatMap((path) => [
    ...localEvents(path),
    ...secondaries.flatMap((secondary, s) =>
      hopEvents(path, { secondary, sendStart: 60 + 40 * s, departed: 66 + 40 * s, sendEnd: 236 + 40 * s }),
    ),
  ]);
const secondaryOf = (secondary: string): EventSpec[] =>
  paths.flatMap((path) => secondaryEvents(path, { secondary }));

const primary = (events: EventSpec[], more: Partial<ReplicaInput> = {}): ReplicaInput => ({
  role: "primary",
  columns: eventColumns(events),
  ...more,
});
const secondary = (events: EventSpec[], more: Partial<ReplicaInput> = {}): ReplicaInput => ({
  role: "secondary",
  columns: eventColumns(events),
  ...more,
});
/** Events of a secondary that do not name it. */
const nameless = (events: EventSpec[]): EventSpec[] => events.map(({ self: _self, ...event }) => event);

const codeOf = (inputs: readonly ReplicaInput[]): string => {
  try {
    buildModel(inputs);
    return "none";
  } catch (error) {
    return (error as ModelError).code;
  }
};

describe("captures that make no model", () => {
  it.each([
    ["model.noCapture", []],
    ["model.twoPrimaries", [primary(primaryOf("a")), primary(primaryOf("b"))]],
    [
      "model.duplicateReplica",
      [primary(primaryOf("a")), secondary(secondaryOf("a")), secondary(secondaryOf("a"))],
    ],
    ["model.wrongRole", [primary(secondaryOf("a"))]],
    ["model.wrongRole", [secondary(primaryOf("a"))]],
    ["model.noBlocks", [primary([])]],
    ["model.noBlocks", [primary([{ kind: "flushStart", at: 5, local: 1, block: 16n }])]],
  ] as const)("%s", (code, inputs) => {
    expect(codeOf(inputs)).toBe(code);
  });

  it("are no two secondaries that do not name themselves", () => {
    const [a, b] = [secondary(nameless(secondaryOf("a"))), secondary(nameless(secondaryOf("b")))];
    expect(codeOf([primary(primaryOf("a", "b")), a, b])).toBe("none");
  });

  it("are named in the sentence: by their name, else by their role", () => {
    expect(() => buildModel([primary(secondaryOf("a"), { name: "SQL1" })])).toThrow(
      "SQL1 is analysed as the primary, but its files hold events of a secondary only: change its role.",
    );
    expect(() => buildModel([secondary(primaryOf("a"))])).toThrow(
      "The secondary given is analysed as the secondary",
    );
  });
});

describe("who is who", () => {
  const idsOf = (...inputs: ReplicaInput[]): string[] => buildModel(inputs).replicas.map(({ id }) => id);

  it("is by the ids in the events, the secondaries with a file first", () => {
    expect(idsOf(primary(primaryOf("a", "b")), secondary(secondaryOf("b")))).toEqual([
      "primary-id",
      "b",
      "a",
    ]);
  });

  it("is what the caller says where the events do not", () => {
    const [main, second] = [nameless(primaryOf("a")), nameless(secondaryOf("a"))];
    expect(idsOf(primary(main, { id: "given-1" }), secondary(second, { id: "given-2" }))).toEqual([
      "given-1",
      "given-2",
      "a",
    ]);
    expect(
      idsOf(primary(primaryOf("a"), { id: "given-1" }), secondary(secondaryOf("a"), { id: "given-2" })),
    ).toEqual(["primary-id", "a"]);
  });

  it("is the only partner that nobody else is, for a secondary that does not name itself", () => {
    expect(
      idsOf(primary(primaryOf("a", "b")), secondary(secondaryOf("b")), secondary(nameless(secondaryOf("a")))),
    ).toEqual(["primary-id", "b", "a"]);
    expect(
      idsOf(primary(primaryOf("b")), secondary(secondaryOf("b")), secondary(nameless(secondaryOf("a")))),
    ).toEqual(["primary-id", "b", ""]);
  });

  it("is the partner that a secondary names, for a primary without a file", () => {
    const { replicas } = buildModel([secondary(secondaryOf("a"))]);
    expect(replicas.map(({ id, role, hasCapture }) => [id, role, hasCapture])).toEqual([
      ["primary-id", "primary", false],
      ["a", "secondary", true],
    ]);
  });

  it("leaves the primary out of its own partners", () => {
    const own: EventSpec = {
      kind: "receiveHarden",
      mode: 2,
      at: 9_000_000,
      took: 5,
      block: 0n,
      database: "sales-id",
      self: "primary-id",
      partner: "primary-id",
    };
    expect(idsOf(primary([...primaryOf("a"), own]))).toEqual(["primary-id", "a"]);
  });
});

describe("names, databases and coverage", () => {
  const GUID = "a7f6cb00-0bb9-4251-8425-21b3e4313d44";
  const topology = readTopology(
    `<AGInfoRoot><r replica_id="${GUID}" replica_server_name="NODE2" availability_mode="0"/><d group_database_id="${GUID}" database_name="Sales"/></AGInfoRoot>`,
  );

  it("are the caller's, else the topology's, else general ones", () => {
    const named = buildModel(
      [primary(primaryOf(GUID, "b"), { name: "SQL1" }), secondary(secondaryOf(GUID))],
      topology,
    );
    expect(named.replicas.map(({ name }) => name)).toEqual(["SQL1", "NODE2", "Secondary 2"]);
    expect(named.replicas.map(({ commitMode }) => commitMode)).toEqual(["sync", "async", "undetermined"]);
    const plain = buildModel([primary(primaryOf("a")), secondary(secondaryOf("a"), { name: "SQL2" })]);
    expect(plain.replicas.map(({ name }) => name)).toEqual(["Primary", "SQL2"]);
    expect(buildModel([primary(primaryOf("a"))]).replicas[1].name).toBe("Secondary");
  });

  it("of a database is the topology's, else a number where there are several", () => {
    const of = (database: string) =>
      primaryOf("a").map((event) => (event.database ? { ...event, database } : event));
    expect(buildModel([primary(of(GUID))], topology).databases).toEqual([
      { id: GUID, name: "Sales", localIds: [6, -1] },
    ]);
    expect(buildModel([primary(of("x"))]).databases[0].name).toBe("Database");
    const second = paths.map((path) => ({ ...path, block: path.block + 0x1000n, database: "y", local: 7 }));
    const two = buildModel([
      primary([
        ...of("x"),
        ...second.flatMap((path) => [...localEvents(path), ...hopEvents(path, { secondary: "a" })]),
      ]),
      secondary(secondaryOf("a")),
    ]);
    expect(two.databases).toEqual([
      { id: "x", name: "Database 1", localIds: [6, -1] },
      { id: "y", name: "Database 2", localIds: [7, -1] },
      { id: "sales-id", name: "Database 3", localIds: [-1, 5] },
    ]);
  });

  it("of the files: from the first to the last event, on the primary's clock", () => {
    const { replicas, duration } = buildModel([primary(primaryOf("a")), secondary(secondaryOf("a"))]);
    // The first event to fire ends 51 after the first commit began, which is time 0; the last one is the end of the last
    // commit, 5,000 after the third block began.
    expect(replicas[0]).toMatchObject({ from: 51, to: 25_000, events: primaryOf("a").length });
    // The inner event of the first receive ends at 512, the last event of an acknowledgement at 3,644.
    expect(replicas[1].from).toBeCloseTo(512, 0);
    expect(replicas[1].to).toBeCloseTo(23_644, 0);
    expect(duration).toBe(25_000);
    const alone = buildModel([primary(primaryOf("a"))]);
    expect(alone.replicas[1]).toMatchObject({
      hasCapture: false,
      from: Number.NaN,
      to: Number.NaN,
      events: 0,
    });
  });

  it("of the files are numbered over all replicas, as the index of events has them", () => {
    const model = buildModel([primary(primaryOf("a")), secondary(secondaryOf("a"))]);
    expect(model.files.map(({ replica }) => replica)).toEqual([0, 1]);
    expect(model.events.length).toBe(primaryOf("a").length + secondaryOf("a").length);
    const { events, blocks } = model;
    for (let row = 0; row < blocks.length; row++) {
      const [first, end] = [blocks.eventStart[row], blocks.eventStart[row + 1]];
      const fires = [...events.fire.subarray(first, end)];
      expect(fires).toEqual(fires.toSorted((a, b) => a - b));
      expect(new Set(events.file.subarray(first, end))).toEqual(new Set([0, 1]));
      expect(end - first).toBe(model.events.length / 3);
    }
    expect(buildModel([secondary(secondaryOf("a"))]).files.map(({ replica }) => replica)).toEqual([1]);
  });
});
