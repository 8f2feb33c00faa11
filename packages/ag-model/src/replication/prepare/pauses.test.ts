/**
 * Servers that were unresponsive: which periods without events are a pause, by instants written by hand (the rule D16
 * has its own tests).
 */
import { describe, expect, it } from "vitest";
import { eventsAt, modelOf } from "../../../test/model.ts";
import { serverPauses } from "./pauses.ts";
import { HOP_ANCHORS, Obtained } from "../shapes/tables.ts";

interface Capture {
  /** Instants of each replica's events, µs. */
  readonly fires: readonly (readonly number[])[];
  /** When the first block left the primary and its acknowledgment left the secondary, µs. */
  readonly block?: readonly [left: number, answered: number];
  /** How the instants of acknowledgments were obtained; measured unless given. */
  readonly how?: Obtained;
  /** When the first block's commit and its log write on the primary began, µs. */
  readonly commit?: readonly [began: number, written: number];
  /** The second block's log write on the primary, and on the secondary, µs. */
  readonly localWrite?: readonly [from: number, to: number];
  readonly write?: readonly [from: number, to: number];
  /** When the second one's acknowledgment left the secondary and arrived at the primary, µs. */
  readonly ack?: readonly [left: number, answered: number];
}

const NOT_KNOWN = [Number.NaN, Number.NaN] as const;

/** Returns the pauses in a capture of 10 s with two blocks to one secondary. */
function pausesIn({
  fires,
  block = NOT_KNOWN,
  how = Obtained.measured,
  ack = NOT_KNOWN,
  commit,
  localWrite,
  write,
}: Capture): ReturnType<typeof serverPauses> {
  const model = modelOf([{ at: 0 }, { at: 1 }], { duration: 10_000_000 });
  const [hop] = model.hops;
  hop.sendEnd.set([block[0], Number.NaN]);
  hop.ackSent.set([block[1], ack[0]]);
  hop.ackReceived.set([Number.NaN, ack[1]]);
  const bits = (["ackSent", "ackReceived"] as const).map(
    (anchor) => how << (2 * HOP_ANCHORS.indexOf(anchor)),
  );
  hop.obtained.fill(bits[0] | bits[1]);
  if (commit !== undefined) {
    model.blocks.commitStart[0] = commit[0];
    model.blocks.localFlushStart[0] = commit[1];
  }
  if (localWrite !== undefined) {
    model.blocks.localFlushStart[1] = localWrite[0];
    model.blocks.localFlushEnd[1] = localWrite[1];
  }
  if (write !== undefined) {
    hop.secondaryFlushStart[1] = write[0];
    hop.secondaryFlushEnd[1] = write[1];
  }
  const events = fires.flatMap((ofReplica, replica) => ofReplica.map((fire) => ({ fire, replica })));
  return serverPauses({
    ...model,
    files: [0, 1].map((replica) => ({ ...model.files[0], replica })),
    events: eventsAt(events),
  });
}

const BUSY = Array.from({ length: 101 }, (_, i) => i * 100_000);
/** Every 0.1 s but between 1 s and 2 s. */
const SILENT = BUSY.filter((us) => us <= 1_000_000 || us >= 2_000_000);
const SECONDARY_STOOD_STILL = [{ replica: 1, from: 1_000_000, to: 2_000_000 }];

describe("what a server that stood still kept waiting", () => {
  const ofSecondary = (left: number, answered: number) =>
    pausesIn({ fires: [BUSY, SILENT], block: [left, answered] });

  it("left before the middle of the silence, a tenth of it before its beginning at the earliest", () => {
    expect(ofSecondary(900_000, 2_000_000)).toEqual(SECONDARY_STOOD_STILL);
    expect(ofSecondary(899_999, 2_000_000)).toEqual([]);
    expect(ofSecondary(1_500_000, 2_000_000)).toEqual(SECONDARY_STOOD_STILL);
    expect(ofSecondary(1_500_001, 2_000_000)).toEqual([]);
  });

  it("was answered no earlier than a tenth of the silence before its end", () => {
    expect(ofSecondary(1_200_000, 1_900_000)).toEqual(SECONDARY_STOOD_STILL);
    expect(ofSecondary(1_200_000, 1_899_999)).toEqual([]);
    expect(ofSecondary(1_200_000, 9_000_000)).toEqual(SECONDARY_STOOD_STILL);
  });

  it("was answered by itself: an acknowledgment that a later block brought about may cover it at any time", () => {
    const answered = (how: Obtained) =>
      pausesIn({ fires: [BUSY, SILENT], block: [1_000_000, 2_000_000], how });
    expect(answered(Obtained.measured)).toEqual(SECONDARY_STOOD_STILL);
    // Only the event inside the acknowledgment's own was seen.
    expect(answered(Obtained.fallback)).toEqual(SECONDARY_STOOD_STILL);
    expect(answered(Obtained.derived)).toEqual([]);
  });

  it("waited no shorter than these two allow in the shortest silence", () => {
    const fires = BUSY.filter((us) => us <= 1_000_000 || us >= 1_500_000);
    // The middle is at 1.25 s, a tenth before the end at 1.45 s: 0.2 s.
    expect(pausesIn({ fires: [BUSY, fires], block: [1_250_000, 1_450_000] })).toEqual([
      { replica: 1, from: 1_000_000, to: 1_500_000 },
    ]);
  });

  it("of a primary is an acknowledgment, while the secondary had events", () => {
    const ack = [1_100_000, 1_950_000] as const;
    expect(pausesIn({ fires: [SILENT, BUSY], ack })).toEqual([
      { replica: 0, from: 1_000_000, to: 2_000_000 },
    ]);
    expect(pausesIn({ fires: [BUSY, SILENT], ack })).toEqual([]);
  });

  it("of a primary is one whose own arrival was seen: that a later one covers it may be a loss of events", () => {
    const ack = [1_100_000, 1_950_000] as const;
    expect(pausesIn({ fires: [SILENT, BUSY], ack, how: Obtained.derived })).toEqual([]);
  });

  it("of a primary is a commit whose log write begins only then, unless another log write hung", () => {
    const commit = [1_100_000, 1_950_000] as const;
    expect(pausesIn({ fires: [SILENT, BUSY], commit })).toEqual([
      { replica: 0, from: 1_000_000, to: 2_000_000 },
    ]);
    expect(pausesIn({ fires: [SILENT, SILENT], commit })).toEqual([
      { replica: 0, from: 1_000_000, to: 2_000_000 },
    ]);
    // No other write of the server is known, so the write that began before the silence counts as hung.
    expect(pausesIn({ fires: [SILENT, BUSY], commit, localWrite: [999_000, 1_950_000] })).toEqual([]);
    expect(pausesIn({ fires: [SILENT, BUSY], commit, localWrite: [1_000_001, 1_950_000] })).toHaveLength(1);
    expect(pausesIn({ fires: [SILENT, BUSY], commit, localWrite: [999_000, 1_899_999] })).toHaveLength(1);
  });

  it("of a secondary that had answered is none: it is the primary's to which the answer came", () => {
    expect(
      pausesIn({ fires: [SILENT, SILENT], block: [990_000, 999_000], ack: [999_000, 2_000_000] }),
    ).toEqual([{ replica: 0, from: 1_000_000, to: 2_000_000 }]);
  });

  it("was not kept waiting by a server at all where a log write hung that began well before the silence", () => {
    const block = [1_100_000, 2_000_000] as const;
    // The other write of the server takes 3 ms.
    const hung = (from: number, to = 2_000_000) =>
      pausesIn({ fires: [BUSY, SILENT], block, write: [from, to] });
    expect(hung(994_000)).toEqual([]);
    expect(hung(994_001)).toEqual(SECONDARY_STOOD_STILL);
    // A write that was done before the silence ended does not explain it.
    expect(hung(994_000, 1_899_999)).toEqual(SECONDARY_STOOD_STILL);
  });

  it("makes a primary wait with it that is silent because a secondary stands still", () => {
    expect(
      pausesIn({ fires: [SILENT, SILENT], block: [1_100_000, 1_950_000], ack: [1_100_000, 1_950_000] }),
    ).toEqual(SECONDARY_STOOD_STILL);
  });

  it("makes a primary wait with it each time that the secondary stands still", () => {
    const model = modelOf([{ at: 0 }, { at: 1 }, { at: 2 }], { duration: 10_000_000 });
    const [hop] = model.hops;
    // Two exchanges that waited for the secondary, and an acknowledgment that arrived at the primary after the second
    // silence.
    hop.sendEnd.set([1_100_000, 5_100_000, Number.NaN]);
    hop.ackSent.set([1_950_000, 5_950_000, 5_100_000]);
    hop.ackReceived.set([Number.NaN, Number.NaN, 5_950_000]);
    const bits = (["ackSent", "ackReceived"] as const).map(
      (anchor) => Obtained.measured << (2 * HOP_ANCHORS.indexOf(anchor)),
    );
    hop.obtained.fill(bits[0] | bits[1]);
    const later = (us: number): boolean => us <= 5_000_000 || us >= 6_000_000;
    const events = [BUSY.filter(later), SILENT.filter(later)].flatMap((fires, replica) =>
      fires.map((fire) => ({ fire, replica })),
    );
    const files = [0, 1].map((replica) => ({ ...model.files[0], replica }));
    expect(serverPauses({ ...model, files, events: eventsAt(events) })).toEqual([
      ...SECONDARY_STOOD_STILL,
      { replica: 1, from: 5_000_000, to: 6_000_000 },
    ]);
  });
  it("is named for a primary that stood still at another time than the secondary, the earlier pause first", () => {
    const later = BUSY.filter((us) => us <= 2_000_000 || us >= 3_000_000);
    const ofPrimary = { replica: 0, from: 2_000_000, to: 3_000_000 };
    expect(
      pausesIn({ fires: [later, SILENT], block: [1_100_000, 1_950_000], ack: [2_100_000, 2_950_000] }),
    ).toEqual([...SECONDARY_STOOD_STILL, ofPrimary]);
    const earlier = BUSY.filter((us) => us === 0 || us >= 1_000_000);
    expect(
      pausesIn({ fires: [earlier, SILENT], block: [1_100_000, 1_950_000], ack: [100_000, 950_000] }),
    ).toEqual([{ replica: 0, from: 0, to: 1_000_000 }, ...SECONDARY_STOOD_STILL]);
  });
});

describe("a silence", () => {
  it.each([1_000_000, 1_000_001, 1_249_999, 1_250_000])("takes half a second, from %d µs as well", (from) => {
    const foundUntil = (to: number) => {
      const fires = [...BUSY.filter((us) => us <= from), from, to, ...BUSY.filter((us) => us >= to)];
      return pausesIn({ fires: [BUSY, fires], block: [from, to] });
    };
    expect(foundUntil(from + 500_000)).toEqual([{ replica: 1, from, to: from + 500_000 }]);
    expect(foundUntil(from + 499_999)).toEqual([]);
  });

  it("is between two events: what is before the first or behind the last is not known", () => {
    expect(pausesIn({ fires: [BUSY, BUSY.filter((us) => us >= 2_000_000)], block: [0, 2_000_000] })).toEqual(
      [],
    );
    expect(
      pausesIn({ fires: [BUSY, BUSY.filter((us) => us <= 8_000_000)], block: [8_000_000, 9_000_000] }),
    ).toEqual([]);
    expect(pausesIn({ fires: [BUSY, []], block: [1_000_000, 9_000_000] })).toEqual([]);
  });

  it("reaches to the capture's last event, and has nothing of an event without a known instant", () => {
    const last = [...BUSY.filter((us) => us <= 9_000_000), Number.NaN, 10_000_000];
    expect(pausesIn({ fires: [BUSY, last], block: [9_100_000, 9_950_000] })).toEqual([
      { replica: 1, from: 9_000_000, to: 10_000_000 },
    ]);
  });
});
