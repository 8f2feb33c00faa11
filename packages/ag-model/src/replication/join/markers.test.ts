import { describe, expect, it } from "vitest";
import type { EventSpec } from "../../../test/events.ts";
import { serverOf } from "../../../test/servers.ts";
import { modelOf } from "../../../test/model.ts";
import { collectMarkers, markedEvents } from "./markers.ts";
import { MARKER_KINDS } from "../shapes/tables.ts";

const flow = (action: "Set" | "Cleared", published: number, took = 0): EventSpec => ({
  kind: "databaseFlowControl",
  action,
  published,
  took,
});
const counted: EventSpec = { kind: "flushStart", at: 0 };

/** Markers of one server per list of events, with times counted as the events do. */
function markersOf(...lists: EventSpec[][]) {
  const marked = lists.map((events) =>
    markedEvents(serverOf([counted, ...events], 131_000_000_000_000_000n)),
  );
  const found = collectMarkers(
    marked,
    marked.map(({ fire }) => fire),
    [0, 2, 1],
    0,
    { phases: [], clocks: [], pauses: [] },
  );
  return Array.from({ length: found.length }, (_, i) => [
    MARKER_KINDS[found.kind[i]],
    found.replica[i],
    found.time[i],
    found.duration[i],
  ]);
}

describe("markers", () => {
  it("are VLF switches, transport flow control and commits that keep waiting, at the instant of their event", () => {
    expect(
      markersOf([
        { kind: "vlfHeader", at: 100, took: 40 },
        { kind: "stillWaiting", published: 300, took: 7 },
        { kind: "transportFlowControl", action: "Cleared", published: 900, took: 250 },
      ]),
    ).toEqual([
      ["vlfSwitch", 0, 140, 0],
      ["stillWaiting", 0, 300, 0],
      ["transportFlowControl", 0, 650, 250],
    ]);
  });

  it("of a VLF switch are one, though it is told for each secondary", () => {
    const header = (at: number, block: bigint, partner: string): EventSpec => ({
      kind: "vlfHeader",
      at,
      took: 0,
      block,
      partner,
    });
    expect(
      markersOf([
        header(100, 0x0000_0002_0000_0010n, "second"),
        header(103, 0x0000_0002_0000_0010n, "third"),
        header(900, 0x0000_0003_0000_0010n, "second"),
      ]),
    ).toEqual([
      ["vlfSwitch", 0, 100, 0],
      ["vlfSwitch", 0, 900, 0],
    ]);
  });

  it("of flow control last from its Set to its Cleared, which has the duration", () => {
    expect(markersOf([flow("Set", 100), flow("Cleared", 350, 250)])).toEqual([
      ["databaseFlowControl", 0, 100, 250],
    ]);
  });

  it("of flow control that is not cleared any more begin with the last Set", () => {
    expect(
      markersOf([flow("Set", 100), flow("Cleared", 350, 250), flow("Set", 500), flow("Set", 600)]),
    ).toEqual([
      ["databaseFlowControl", 0, 100, 250],
      ["databaseFlowControl", 0, 600, 0],
    ]);
  });

  it("of a Cleared without a duration are an instant", () => {
    expect(markersOf([flow("Cleared", 350, -5)])).toEqual([["databaseFlowControl", 0, 350, 0]]);
  });

  it("of several replicas are in order of time, each with its replica", () => {
    expect(
      markersOf(
        [{ kind: "vlfHeader", at: 500, took: 0 }],
        [{ kind: "vlfHeader", at: 100, took: 0 }],
        [{ kind: "vlfHeader", at: 300, took: 0 }],
      ),
    ).toEqual([
      ["vlfSwitch", 2, 100, 0],
      ["vlfSwitch", 1, 300, 0],
      ["vlfSwitch", 0, 500, 0],
    ]);
  });

  it("are none of other events", () => {
    expect(markersOf([{ kind: "commit", at: 5, took: 3_000_000 }])).toEqual([]);
  });

  it("of a change of roles last from the old primary's last block to the new one's first, of a step they are an instant, of a pause they last as it does", () => {
    const phase = (primary: number, databases: number[], from: number, to: number) => ({
      primary,
      databases,
      from,
      to,
      commitModes: [],
    });
    const [sound] = modelOf([{ at: 0 }]).clocks;
    const window = (from: number, offsetUs: number) => ({
      ...sound.windows[0],
      from,
      to: from + 900,
      offsetUs,
      driftPpm: 0,
      uncertaintyUs: 50,
    });
    const clock = { ...sound, windows: [window(0, 0), window(1_000, 100), window(2_000, 201)] };
    const found = collectMarkers([], [], [], 5, {
      phases: [phase(0, [0], 0, 700), phase(0, [1], 0, 9_000), phase(1, [0], 900, 9_000)],
      clocks: [clock],
      pauses: [{ replica: 2, from: 1_500, to: 1_800 }],
    });
    expect([...found.kind].map((kind) => MARKER_KINDS[kind])).toEqual(["roleChange", "pause", "clockStep"]);
    expect([...found.replica]).toEqual([1, 2, 1]);
    expect([...found.time]).toEqual([700, 1_500, 2_000]);
    expect([...found.duration]).toEqual([200, 300, 0]);
  });

  it("mark each change of roles of a database, the way back to the first primary too", () => {
    const phase = (primary: number, databases: number[], from: number, to: number) => ({
      primary,
      databases,
      from,
      to,
      commitModes: [],
    });
    const found = collectMarkers([], [], [], 0, {
      phases: [
        phase(0, [0], 0, 700),
        phase(2, [1], 0, 9_000),
        phase(1, [0], 900, 2_000),
        phase(0, [0], 2_500, 9_000),
      ],
      clocks: [],
      pauses: [],
    });
    expect([...found.kind].map((kind) => MARKER_KINDS[kind])).toEqual(["roleChange", "roleChange"]);
    expect([...found.replica]).toEqual([1, 0]);
    expect([...found.time]).toEqual([700, 2_000]);
    expect([...found.duration]).toEqual([200, 500]);
  });
});
