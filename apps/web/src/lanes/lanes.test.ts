import type { LiveLane } from "@aglens/contract";
import { pictureLanes } from "@aglens/ag-model/lanes";
import { describe, expect, it } from "vitest";
import { replicaNamed } from "../../test/replicas.ts";
import {
  captureLanes,
  foldedLanes,
  liveLanes,
  needsFileOf,
  onSecondaryClock,
  visibleLanes,
  type Lane,
} from "./lanes.ts";

const column = <Key extends keyof Lane>(lanes: readonly Lane[], key: Key): Lane[Key][] =>
  lanes.map((lane) => lane[key]);
const byKey = (lanes: readonly Lane[], key: string): Lane => lanes.find((lane) => lane.key === key)!;

describe("lanes of a capture", () => {
  const lanes = captureLanes([replicaNamed("SQL1"), replicaNamed("SQL2")]);

  it("follow a block's path from commit to commit", () => {
    expect(column(lanes, "label")).toEqual([
      "Commits waiting",
      "Log write",
      "Capture and send",
      "Network out",
      "Receive and append",
      "Log write",
      "Acknowledge",
      "Network back",
      "Ack, wake-up",
    ]);
  });

  it("have the color of their place, strong for a disk and soft for handling", () => {
    expect(column(lanes, "color")).toEqual([
      "--wait",
      "--p-disk",
      "--p-work",
      "--n-out",
      "--s-work",
      "--s-disk",
      "--s-work",
      "--n-back",
      "--p-work",
    ]);
  });

  it("lie between the anchors of their stage or stretch", () => {
    expect(column(lanes, "anchors")).toEqual([
      null,
      ["localFlushStart", "localFlushEnd"],
      ["sendStart", "sendEnd"],
      ["sendEnd", "received"],
      ["received", "secondaryFlushStart"],
      ["secondaryFlushStart", "secondaryFlushEnd"],
      ["secondaryFlushEnd", "ackSent"],
      ["ackSent", "ackReceived"],
      ["ackReceived", "ackProcessed"],
    ]);
  });

  it("are tall where commits wait, and slope over the network", () => {
    expect(lanes.filter(({ tall }) => tall).map(({ figure }) => figure)).toEqual([
      "commit",
      "localFlush",
      "wireOut",
      "secondaryFlush",
      "wireBack",
    ]);
    expect(lanes.filter(({ shape }) => shape !== "bar").map(({ figure, shape }) => [figure, shape])).toEqual([
      ["commit", "commits"],
      ["wireOut", "slopeOut"],
      ["wireBack", "slopeBack"],
    ]);
  });

  it("open a place with a wider gap", () => {
    expect(lanes.filter(({ opensPlace }) => opensPlace).map(({ figure }) => figure)).toEqual([
      "commit",
      "wireOut",
      "secondaryAppend",
      "wireBack",
      "ackWakeUp",
    ]);
  });

  it("name their place, and say of the secondary's clock how far it may be off, or that it is raw", () => {
    expect(column(lanes, "heading").filter((heading) => heading !== "")).toEqual([
      "SQL1, primary",
      "SQL1 to SQL2",
      "SQL2, secondary ±0.24\u2009ms",
      "SQL2 to SQL1",
    ]);
    const heading = (more: Parameters<typeof replicaNamed>[1]): string =>
      byKey(captureLanes([replicaNamed("SQL1"), replicaNamed("SQL2", more)]), "hop0.secondaryFlush").heading;
    expect(heading({ rawClock: true })).toBe("SQL2, secondary, raw UTC");
    expect(heading({ uncertaintyUs: Number.NaN })).toBe("SQL2, secondary");
    expect(heading({ commitMode: "async" })).toBe("SQL2, async ±0.24\u2009ms");
    expect(captureLanes([replicaNamed("Primary")])[0].heading).toBe("Primary");
  });

  it("have the role first where servers had it in turn, so that both servers' names fit", () => {
    const inTurn = (name: string, more = {}) => replicaNamed(name, { inTurn: true, ...more });
    const headings = (more = {}): string[] =>
      column(captureLanes([inTurn("SQL1 › SQL2"), inTurn("SQL2 › SQL1", more)]), "heading").filter(
        (heading) => heading !== "",
      );
    expect(headings()).toEqual([
      "Primary: SQL1 › SQL2",
      "Primary to SQL2 › SQL1",
      "Secondary: SQL2 › SQL1",
      "SQL2 › SQL1 to primary",
    ]);
    expect(headings({ commitMode: "async" })[2]).toBe("Async secondary: SQL2 › SQL1");
    expect(headings({ rawClock: true })[2]).toBe("Secondary: SQL2 › SQL1, raw UTC");
  });

  it("have one bar for network and disk of a secondary without a file", () => {
    const three = captureLanes([
      replicaNamed("N1"),
      replicaNamed("N3"),
      replicaNamed("N2", { hasCapture: false }),
    ]);
    const own = three.filter(({ secondary }) => secondary === 1);
    expect(own.map(({ key, label, anchors, heading }) => [key, label, anchors, heading])).toEqual([
      ["hop1.unseen", "Network, disk", ["sendEnd", "ackReceived"], "N2, no capture"],
      ["hop1.ackReceive", "Ack receive", ["ackReceived", "ackProcessed"], ""],
    ]);
    expect(own.map(({ place, color }) => [place, color])).toEqual([
      ["unknown", "--wait"],
      ["primary", "--p-work"],
    ]);
  });

  it("show the send to the first secondary that has a file with the primary's lanes, others in their group", () => {
    const lanesOfThree = captureLanes([
      replicaNamed("N1"),
      replicaNamed("N2", { hasCapture: false }),
      replicaNamed("N3"),
      replicaNamed("N4"),
    ]);
    const sends = lanesOfThree.filter(({ figure }) => figure === "send");
    expect(sends.map(({ key, replica, opensPlace }) => [key, replica, opensPlace])).toEqual([
      ["hop1.send", 0, false],
      ["hop2.send", 3, true],
    ]);
    expect(lanesOfThree.indexOf(sends[0])).toBe(2);
  });

  it("show a send too when no secondary has a file, and none without a secondary", () => {
    const unread = captureLanes([replicaNamed("N1"), replicaNamed("N2", { hasCapture: false })]);
    expect(column(unread, "key")).toEqual([
      "commit",
      "localFlush",
      "hop0.send",
      "hop0.unseen",
      "hop0.ackReceive",
    ]);
    expect(column(captureLanes([replicaNamed("N1")]), "key")).toEqual(["commit", "localFlush"]);
    expect(column(captureLanes([]), "heading")).toEqual(["Primary", ""]);
  });

  it("keep their key when the file of a secondary is added", () => {
    const keys = (hasCapture: boolean): string[] =>
      column(captureLanes([replicaNamed("N1"), replicaNamed("N2", { hasCapture })]), "key");
    expect(keys(true)).toContain("hop0.ackReceive");
    expect(keys(false)).toContain("hop0.ackReceive");
  });

  it("allow a network leg half of the shortest round trip", () => {
    const far = captureLanes([replicaNamed("N1"), replicaNamed("N2", { leastRoundTripUs: 48_000 })]);
    expect(["hop0.wireOut", "hop0.wireBack"].map((key) => byKey(far, key).limitUs)).toEqual([24_000, 24_000]);
    expect(byKey(far, "hop0.wireOut").capUs).toBe(24_000);
    expect(byKey(far, "hop0.secondaryFlush").limitUs).toBe(10_000);
  });

  it("of a folded secondary are its whole path on the primary's clock, in the place of its group", () => {
    const replicas = [
      replicaNamed("SQL1"),
      replicaNamed("SQL2", { commitMode: "sync" }),
      replicaNamed("SQL3", { commitMode: "async" }),
    ];
    const all = [...captureLanes(replicas), ...foldedLanes(replicas)];
    const shown = visibleLanes(all, [1]);
    const at = column(shown, "key").indexOf("hop0.remoteHarden");
    expect(shown[at]?.opensPlace).toBe(true);
    expect(shown[at - 1]?.replica).toBe(0);
    expect(shown[at + 1]?.key).toBe("hop1.send");
    const [sync, asynchronous] = foldedLanes(replicas);
    expect([sync.label, sync.heading]).toEqual(["Remote harden", "SQL2, sync ±0.24\u2009ms"]);
    expect([asynchronous.label, asynchronous.asynchronous]).toEqual(["Acknowledged", true]);
    expect(onSecondaryClock(sync)).toBe(false);
    expect([needsFileOf(sync, 0), needsFileOf(sync, 1)]).toEqual([true, false]);
    expect(foldedLanes([replicaNamed("N1"), replicaNamed("N2", { hasCapture: false })])).toEqual([]);
  });

  it("fold into the lanes that a group keeps", () => {
    const folded = foldedLanes([replicaNamed("SQL1"), replicaNamed("SQL2")]);
    expect(column(visibleLanes([...lanes, ...folded], [1]), "key")).toEqual([
      "commit",
      "localFlush",
      "hop0.send",
      "hop0.remoteHarden",
    ]);
    expect(visibleLanes([...lanes, ...folded], [])).toEqual(lanes);
    expect(column(visibleLanes(lanes, [0]), "key")).not.toContain("localFlush");
    expect(column(visibleLanes(lanes, [0]), "key")).toContain("commit");
    const unread = captureLanes([replicaNamed("N1"), replicaNamed("N2", { hasCapture: false })]);
    expect(column(visibleLanes(unread, [1]), "key")).toContain("hop0.unseen");
    expect(visibleLanes(lanes, [])).toEqual(lanes);
  });

  it("rest on the clock's alignment on the secondary only", () => {
    expect(lanes.filter(onSecondaryClock).map(({ figure }) => figure)).toEqual([
      "secondaryAppend",
      "secondaryFlush",
      "acknowledge",
    ]);
  });

  it("need the primary's file everywhere but on the secondary, and the secondary's own for what it did", () => {
    const needs = (replica: number): string[] =>
      lanes.filter((lane) => needsFileOf(lane, replica)).map(({ figure }) => figure);
    expect(needs(0)).toEqual(["commit", "localFlush", "send", "wireOut", "wireBack", "ackWakeUp"]);
    expect(needs(1)).toEqual(["wireOut", "secondaryAppend", "secondaryFlush", "acknowledge", "wireBack"]);
    expect(needs(2)).toEqual([]);
  });
});

describe("lanes of a running picture", () => {
  const secondary = (number: number, attached: boolean) => ({
    number,
    name: `SQL${number + 2}`,
    attached,
    replica: attached ? number + 1 : -1,
    commitMode: "sync" as const,
  });
  const live: readonly LiveLane[] = pictureLanes("SQL1", [secondary(0, true), secondary(1, false)]);
  const near = { asynchronous: false, leastRoundTripUs: Number.NaN };

  it("are the tall lanes of a capture with the same labels, colors, anchors and limits", () => {
    const running = liveLanes(live, () => near);
    const capture = captureLanes([
      replicaNamed("SQL1"),
      replicaNamed("SQL2"),
      replicaNamed("SQL3", { hasCapture: false }),
    ]).filter(({ tall }) => tall);
    const alike = (lanes: readonly Lane[]) =>
      lanes.map(({ heading: _heading, opensPlace: _opens, ...lane }) => lane);
    expect(alike(running)).toEqual(alike(capture));
  });

  it("say of a secondary whose events are not read that it is not attached", () => {
    expect(
      byKey(
        liveLanes(live, () => near),
        "hop1.unseen",
      ).heading,
    ).toBe("SQL3, not attached");
  });

  it("open a place with a wider gap, and another secondary's group too", () => {
    const two = liveLanes(pictureLanes("SQL1", [secondary(0, true), secondary(1, true)]), () => near);
    expect(two.filter(({ opensPlace }) => opensPlace).map(({ key }) => key)).toEqual([
      "commit",
      "hop0.wireOut",
      "hop0.secondaryFlush",
      "hop0.wireBack",
      "hop1.wireOut",
      "hop1.secondaryFlush",
      "hop1.wireBack",
    ]);
  });

  it("are drawn by what is known of each secondary", () => {
    const running = liveLanes(live, (number) =>
      number === 0 ? { asynchronous: true, leastRoundTripUs: 24_000 } : null,
    );
    expect(running.map(({ key, asynchronous, limitUs }) => [key, asynchronous, limitUs])).toEqual([
      ["commit", false, 20_000],
      ["localFlush", false, 10_000],
      ["hop0.wireOut", true, Infinity],
      ["hop0.secondaryFlush", true, Infinity],
      ["hop0.wireBack", true, Infinity],
      ["hop1.unseen", false, 12_000],
    ]);
  });

  it("mark nothing of a secondary that no commit waits for", () => {
    const running = liveLanes(live, () => ({ asynchronous: true, leastRoundTripUs: 24_000 }));
    const marked = running.filter(({ limitUs, capUs }) => Number.isFinite(limitUs) || Number.isFinite(capUs));
    expect(marked.map(({ key }) => key)).toEqual(["commit", "localFlush"]);
  });

  it("leave out a lane that a newer server may have", () => {
    expect(liveLanes([{ ...live[0], key: "hop0.compress" }], () => null)).toEqual([]);
  });
});
