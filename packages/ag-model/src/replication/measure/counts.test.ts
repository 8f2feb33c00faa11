import { expect, it } from "vitest";
import { eventColumns } from "../../../test/events.ts";
import { blocksInARow, hopEvents, localEvents, secondaryEvents, type HopPath } from "../../../test/paths.ts";
import { buildModel } from "../model.ts";
import type { Topology } from "../shapes/topology.ts";

const paths = blocksInARow(6);
const silent: HopPath = {
  ackBuilt: NaN,
  ackDeparted: NaN,
  ackSent: NaN,
  ackReceived: NaN,
  ackProcessed: NaN,
};
const modeOf = (commitMode: "sync" | "async"): Topology => ({
  replicas: new Map([["secondary-id", { name: "SQL2", commitMode }]]),
  databases: new Map(),
});

/** The primary's file has blocks 0 to 4, the last one without an acknowledgment; the secondary's has blocks 1 to 5. */
const primary = paths
  .slice(0, 5)
  .flatMap((path, i) => [
    ...localEvents({ ...path, commits: i === 2 ? [] : [0] }),
    ...hopEvents(path, i === 4 ? silent : {}),
  ]);
const secondary = paths.slice(1).flatMap((path, i) => secondaryEvents(path, i === 3 ? silent : {}));

it("counts blocks by who has them, what of their path is there, and which have commits", () => {
  const { counts } = buildModel(
    [
      { role: "primary", columns: eventColumns(primary) },
      { role: "secondary", columns: eventColumns(secondary) },
    ],
    modeOf("sync"),
  );
  expect(counts).toEqual({
    primary: 5,
    secondary: 5,
    onBoth: 4,
    primaryOnly: 1,
    secondaryOnly: 1,
    completeEndToEnd: 3,
    withoutAcknowledgement: 1,
    withCommit: 4,
    // All of it in less than a second from an end of the files.
    common: { primaryOnly: 0, secondaryOnly: 0, withoutAcknowledgement: 0 },
  });
});

it("counts apart what is missing in time that both sides' files cover", () => {
  // Half a second apart, so that the blocks 3 to 8 begin and end a second inside of both files.
  const spread = blocksInARow(12, 500_000);
  const counts = (onPrimary: readonly number[], onSecondary: readonly number[]) =>
    buildModel(
      [
        {
          role: "primary",
          columns: eventColumns(
            onPrimary.flatMap((i) => [...localEvents(spread[i]), ...hopEvents(spread[i])]),
          ),
        },
        {
          role: "secondary",
          columns: eventColumns(onSecondary.flatMap((i) => secondaryEvents(spread[i]))),
        },
      ],
      modeOf("sync"),
    ).counts;
  const all = [...spread.keys()];
  const without = (...rows: number[]): number[] => all.filter((i) => !rows.includes(i));
  expect(counts(without(5), without(0, 7, 8))).toMatchObject({
    onBoth: 8,
    primaryOnly: 3,
    secondaryOnly: 1,
    common: { primaryOnly: 2, secondaryOnly: 1 },
  });
  // The primary's session began after the secondary's and ended before it, as the capture guide asks.
  expect(counts(without(0, 1, 2, 3, 10, 11), all)).toMatchObject({
    onBoth: 6,
    secondaryOnly: 6,
    common: { primaryOnly: 0, secondaryOnly: 0 },
  });
});

it("does not miss the acknowledgment of a replica that nobody waits for", () => {
  const columns = eventColumns(primary);
  const missing = (commitMode: "sync" | "async"): number =>
    buildModel([{ role: "primary", columns }], modeOf(commitMode)).counts.withoutAcknowledgement;
  expect(missing("sync")).toBe(1);
  expect(missing("async")).toBe(0);
});

it("misses the acknowledgment of any one replica that commits wait for, once per block", () => {
  // Both replicas were sent three blocks: SQL2 does not acknowledge the last two, SQL3 not the last.
  const events = blocksInARow(3).flatMap((path, i) => [
    ...localEvents(path),
    ...hopEvents(path, i > 0 ? silent : {}),
    ...hopEvents(path, { secondary: "third-id", ...(i > 1 ? silent : { ackProcessed: 4_070 }) }),
  ]);
  const topology: Topology = {
    replicas: new Map([
      ["secondary-id", { name: "SQL2", commitMode: "sync" }],
      ["third-id", { name: "SQL3", commitMode: "sync" }],
    ]),
    databases: new Map(),
  };
  const { counts } = buildModel([{ role: "primary", columns: eventColumns(events) }], topology);
  expect(counts.withoutAcknowledgement).toBe(2);
});

it("has no complete block without the file of a secondary, and no block of a primary without its file", () => {
  expect(buildModel([{ role: "primary", columns: eventColumns(primary) }]).counts).toMatchObject({
    primary: 5,
    secondary: 0,
    onBoth: 0,
    primaryOnly: 5,
    completeEndToEnd: 0,
  });
  expect(buildModel([{ role: "secondary", columns: eventColumns(secondary) }]).counts).toMatchObject({
    primary: 0,
    secondary: 5,
    secondaryOnly: 5,
    completeEndToEnd: 0,
    withCommit: 0,
    withoutAcknowledgement: 0,
  });
});

it("wants the whole path to every secondary with a file", () => {
  const far: HopPath = { secondary: "far", sendStart: 94, departed: 100, sendEnd: 270 };
  const both = [...primary, ...paths.slice(0, 5).flatMap((path) => hopEvents(path, far))];
  const inputs = [
    { role: "primary" as const, columns: eventColumns(both) },
    { role: "secondary" as const, columns: eventColumns(secondary) },
  ];
  expect(buildModel(inputs).counts.completeEndToEnd).toBe(3);
  const farEvents = paths.slice(0, 3).flatMap((path) => secondaryEvents(path, far));
  expect(
    buildModel([...inputs, { role: "secondary", columns: eventColumns(farEvents) }]).counts.completeEndToEnd,
  ).toBe(2);
});
