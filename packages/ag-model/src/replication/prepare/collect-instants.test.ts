import { describe, expect, it } from "vitest";
import { createDice } from "../../../test/dice.ts";
import { eventColumns } from "../../../test/events.ts";
import { InstantsOfParts, withFires, type CollectedEvents } from "./collect-instants.ts";
import { eventsIn, instantsOf, PART_BLOCKS, partnerInstantsOf, type OwnInstants } from "./own-instants.ts";

/** The shapes of the events below, by their numbers. */
const SHAPES = { commit: 0, capture: 1, ack: 2, receive: 3 } as const;
const examples = eventColumns([
  { kind: "commit", at: 0 },
  { kind: "capture", at: 0, mode: 1, partner: "sql2" },
  { kind: "sendHarden", at: 0, mode: 1 },
  { kind: "transportReceive", at: 0, mode: 2 },
]);

interface Event {
  readonly shape: keyof typeof SHAPES;
  readonly block: number;
  /** µs; they take 5 of them. */
  readonly at: number;
}

/** Events that are all single. @param first number of the first of them */
function collected(events: readonly Event[], first: number, singleStart: Float64Array): CollectedEvents {
  const none = new Float64Array(events.length).fill(Number.NaN);
  return {
    columns: { processing: none, size: none },
    shapeOf: Uint32Array.from(events, ({ shape }) => SHAPES[shape]),
    examples,
    blockOf: Int32Array.from(events, ({ block }) => block),
    start: Float64Array.from(events, ({ at }) => at),
    fire: Float64Array.from(events, ({ at }) => at + 5),
    singleOf: Int32Array.from(events, (_, i) => first + i),
    singleStart,
    published: Float64Array.from(events, ({ at }) => 10 * at),
  };
}

/**
 * Instants from these events, added in steps of `step` events; blocks are numbered in the order of their first event.
 */
function instantsOfEvents(events: readonly Event[], step: number): OwnInstants {
  const all = new InstantsOfParts();
  const singleStart = Float64Array.from(events, ({ at }) => at);
  let blocks = 0;
  for (let from = 0; from < events.length; from += step) {
    const own = events.slice(from, from + step);
    for (const { block } of own) blocks = Math.max(blocks, block + 1);
    all.add(collected(own, from, singleStart), blocks);
  }
  return all.finish({ examples, singleStart });
}

function valuesOf(
  instants: OwnInstants,
  name: "commitStart" | "commitEnd" | "commits" | "received",
): number[] {
  const values: number[] = [];
  for (const range of instantsOf(instants, [name])) values.push(...range[name]);
  return values;
}

/** The first rows in which they differ: a list of all would be long. */
const differing = (found: readonly number[], expected: readonly number[]): unknown[] =>
  Array.from({ length: Math.max(found.length, expected.length) }, (_, row) => [
    row,
    found[row],
    expected[row],
  ])
    .filter(([, a, b]) => a !== b)
    .slice(0, 5);

const BLOCKS = 4 * PART_BLOCKS + 100;

describe("what events show of more blocks than are at hand at once", () => {
  const roll = createDice(3);
  const events: Event[] = [];
  for (let block = 0; block < BLOCKS; block++) {
    events.push({ shape: "commit", block, at: 100 * block });
    // Some events arrive when their block is packed already; a replica that lags makes more of them than may wait at
    // once.
    if (block >= 3.5 * PART_BLOCKS)
      for (const shape of ["commit", "ack", "commit"] as const)
        events.push({ shape, block: Math.floor(roll() * block), at: 100 * block + 10 });
  }
  const instants = instantsOfEvents(events, 16_384);
  const ofBlock = Map.groupBy(events.keys(), (i) => events[i].block);

  it("is all of it, block by block", () => {
    const commitsOf = (block: number): readonly Event[] =>
      ofBlock
        .get(block)!
        .map((i) => events[i])
        .filter(({ shape }) => shape === "commit");
    const commits = Array.from({ length: BLOCKS }, (_, block) => commitsOf(block));
    expect(
      differing(
        valuesOf(instants, "commits"),
        commits.map(({ length }) => length),
      ),
    ).toEqual([]);
    expect(
      differing(
        valuesOf(instants, "commitStart"),
        commits.map((own) => own[0].at),
      ),
    ).toEqual([]);
    expect(
      differing(
        valuesOf(instants, "commitEnd"),
        commits.map((own) => own.at(-1)!.at + 5),
      ),
    ).toEqual([]);
  });

  it("names the first event of each kind by its number", () => {
    const first = [...ofBlock]
      .sort(([a], [b]) => a - b)
      .flatMap(([, own]) => {
        const ack = own.find((i) => events[i].shape === "ack");
        return ack === undefined ? [] : [ack];
      });
    expect(differing([...eventsIn(instantsOf(instants, ["ackBuilt"]), "ackBuilt")], first)).toEqual([]);
  });
});

it("has the last receive of a block that was lost before it was hardened", () => {
  const received = [100, 9_000_100].map((at): Event => ({ shape: "receive", block: 0, at }));
  expect(valuesOf(instantsOfEvents(received, 1), "received")).toEqual([9_000_100]);
});

it("gives late events their instants, and leaves what was given as it was", () => {
  const events: Event[] = [
    { shape: "commit", block: 0, at: 10 },
    { shape: "capture", block: 0, at: 20 },
    { shape: "commit", block: 1, at: 30 },
  ];
  const before = instantsOfEvents(events, 10);
  const single = collected(events, 0, new Float64Array());
  const after = withFires(before, single, Uint32Array.of(0, 1), Float64Array.of(1_000, 70));
  expect(valuesOf(after, "commitEnd")).toEqual([1_000, 35]);
  const [partner] = after.partners;
  expect([...partnerInstantsOf(after, partner, ["begun"])].map(({ begun }) => [...begun])).toEqual([
    [70, Number.NaN],
  ]);
  expect(valuesOf(before, "commitEnd")).toEqual([15, 35]);
});
