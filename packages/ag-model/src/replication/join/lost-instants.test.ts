/**
 * Instants of a block whose event was lost, derived from its other events. Steps are those of docs/contribute/model/joins.md
 * 3.6 from 2016 on.
 */
import { describe, expect, it } from "vitest";
import { eventColumns, type EventSpec } from "../../../test/events.ts";
import { blocksInARow, hopEvents, localEvents, secondaryEvents, type HopPath } from "../../../test/paths.ts";
import { buildModel } from "../model.ts";
import { HOP_ANCHORS, Obtained, obtainedIn, type CaptureModel, type HopAnchor } from "../shapes/tables.ts";

const ROW = 10;
const paths = blocksInARow(20);

/** The capture without the events of one block that `isLost` selects. */
function without(isLost: (event: EventSpec) => boolean, hop: HopPath = {}): CaptureModel {
  const kept = (events: readonly EventSpec[], row: number): EventSpec[] =>
    events.filter((event) => row !== ROW || !isLost(event));
  const hopOf = (row: number): HopPath => (row === ROW ? hop : {});
  return buildModel([
    {
      role: "primary",
      columns: eventColumns(
        paths.flatMap((path, row) => [...localEvents(path), ...kept(hopEvents(path, hopOf(row)), row)]),
      ),
    },
    {
      role: "secondary",
      columns: eventColumns(paths.flatMap((path, row) => kept(secondaryEvents(path, hopOf(row)), row))),
    },
  ]);
}

const howOf = ({ hops: [hop] }: CaptureModel, name: HopAnchor): Obtained =>
  obtainedIn(hop.obtained[ROW], HOP_ANCHORS.indexOf(name));

/** An instant of the block after `base`, whose own place is `at`, and how it was obtained. */
function instantOf(
  model: CaptureModel,
  name: HopAnchor,
  base: HopAnchor,
  at: number,
): [us: number, how: Obtained] {
  const [hop] = model.hops;
  return [Math.round(hop[name][ROW] - hop[base][ROW] + at), howOf(model, name)];
}

const is =
  (kind: EventSpec["kind"], ...modes: number[]) =>
  (event: EventSpec): boolean =>
    event.kind === kind && (modes.length === 0 || modes.includes(event.mode ?? -1));

describe("an instant whose event was lost", () => {
  it("of the acknowledgment's arrival is that of the event inside, 5 µs before it", () => {
    const model = without(is("receiveHarden", 2));
    expect(instantOf(model, "ackReceived", "sendStart", 60)).toEqual([4_000, Obtained.fallback]);
    // The inner one ends 8 µs before the outer one.
    expect(instantOf(model, "ackProcessed", "sendStart", 60)).toEqual([4_042, Obtained.fallback]);
    const all = without(() => false);
    expect(instantOf(all, "ackReceived", "sendStart", 60)).toEqual([4_000, Obtained.measured]);
    expect(instantOf(all, "ackProcessed", "sendStart", 60)).toEqual([4_050, Obtained.measured]);
  });

  it("of the receive is that of the event inside, 5 µs before it, else where the acknowledgment's whole time begins", () => {
    expect(instantOf(without(is("transportReceive", 2)), "received", "ackSent", 3_644)).toEqual([
      500,
      Obtained.fallback,
    ]);
    expect(instantOf(without(is("transportReceive")), "received", "ackSent", 3_644)).toEqual([
      500,
      Obtained.derived,
    ]);
  });

  it("of the log write's end is 45 µs before the acknowledgment was built, else 66 before it left", () => {
    const hop = { ackBuilt: 3_540 };
    const end = (isLost: (event: EventSpec) => boolean) =>
      instantOf(without(isLost, hop), "secondaryFlushEnd", "received", 500);
    const complete = is("flushComplete");
    const built = is("sendHarden", 1);
    expect(end(() => false)).toEqual([3_500, Obtained.measured]);
    expect(end(complete)).toEqual([3_495, Obtained.fallback]);
    expect(end((event) => complete(event) || built(event))).toEqual([3_500, Obtained.fallback]);
  });

  it("of the acknowledgment's departure is that of the event inside, else from its sending or its building", () => {
    const hop = { ackBuilt: 3_540, ackSent: 3_650 };
    const left = (isLost: (event: EventSpec) => boolean) =>
      instantOf(without(isLost, hop), "ackDeparted", "received", 500);
    expect(left(is("sendHarden", 3))).toEqual([3_567, Obtained.fallback]);
    expect(left(is("sendHarden", 2, 3))).toEqual([3_650 - 78, Obtained.fallback]);
    const sent = is("ackSendComplete");
    expect(left((event) => is("sendHarden", 2, 3)(event) || sent(event))).toEqual([
      3_540 + 21,
      Obtained.fallback,
    ]);
  });

  it("of the acknowledgment's sending is 78 µs after it left", () => {
    const model = without(is("ackSendComplete"), { ackSent: 3_700 });
    expect(instantOf(model, "ackSent", "received", 500)).toEqual([3_566 + 78, Obtained.fallback]);
  });

  it("of the acknowledgment's building is the log write's end", () => {
    expect(instantOf(without(is("sendHarden", 1)), "ackBuilt", "received", 500)).toEqual([
      3_500,
      Obtained.fallback,
    ]);
  });
});
