import { describe, expect, it } from "vitest";
import { modelOf } from "../../../test/model.ts";
import { stageColumn } from "../../columns/index.ts";
import {
  isLocalStage,
  isStageId,
  REMOTE_PATH,
  REMOTE_STAGE_IDS,
  STAGE_IDS,
  STAGES,
  stageLabel,
  stageName,
  stageDefinition,
  type StageId,
} from "./stages.ts";

/**
 * Definition of each stage: its anchors, place and kind, and the duration from which it gets a mark, µs
 * (docs/contribute/model/stages.md 4.2).
 */
const TABLE: Readonly<Record<StageId, readonly [string | null, string | null, string, string, number]>> = {
  commitQueue: ["commitStart", "localFlushStart", "primary", "handling", 10_000],
  localFlush: ["localFlushStart", "localFlushEnd", "primary", "disk", 10_000],
  captureLag: ["pushedToLogPool", "sendStart", "primary", "handling", 200],
  compression: [null, null, "primary", "handling", 1_000],
  send: ["sendStart", "sendEnd", "primary", "handling", 1_000],
  wireOut: ["sendEnd", "received", "networkOut", "network", 1_000],
  secondaryAppend: ["received", "secondaryFlushStart", "secondary", "handling", 500],
  decompression: [null, null, "secondary", "handling", 1_000],
  secondaryFlush: ["secondaryFlushStart", "secondaryFlushEnd", "secondary", "disk", 10_000],
  ackBuild: ["secondaryFlushEnd", "ackDeparted", "secondary", "handling", 1_000],
  ackSend: ["ackDeparted", "ackSent", "secondary", "handling", 1_000],
  secondaryTotal: ["received", "ackSent", "secondary", "total", Number.NaN],
  wireBack: ["ackSent", "ackReceived", "networkBack", "network", 1_000],
  ackReceive: ["ackReceived", "ackProcessed", "primary", "handling", 1_000],
  commitWakeUp: [null, "commitEnd", "primary", "handling", 1_000],
  remoteHarden: ["sendStart", "ackProcessed", "primary", "total", Number.NaN],
  networkRoundTrip: [null, null, "networkOut", "network", 2_000],
};

describe("the table of stages", () => {
  it.each(STAGES)("$id", ({ id, from, to, place, kind, limitUs }) => {
    expect([from, to, place, kind, limitUs]).toEqual(TABLE[id]);
    expect(stageDefinition(id).id).toBe(id);
  });

  it("has every stage once, in the order of the path", () => {
    expect(STAGE_IDS).toEqual(Object.keys(TABLE));
  });

  it("has a clock for each: sums of one server's differences are free of the alignment", () => {
    const by = (clock: string): StageId[] =>
      STAGES.filter((stage) => stage.clock === clock).map(({ id }) => id);
    expect(by("aligned")).toEqual(["wireOut", "wireBack"]);
    expect(by("exact")).toEqual(["networkRoundTrip"]);
    expect(by("secondary")).toEqual([
      "secondaryAppend",
      "decompression",
      "secondaryFlush",
      "ackBuild",
      "ackSend",
      "secondaryTotal",
    ]);
  });

  it("knows its ids, and which are the same towards every secondary", () => {
    expect(["send", "networkOut", "", "commit"].map(isStageId)).toEqual([true, false, false, false]);
    expect(STAGE_IDS.filter(isLocalStage)).toEqual(["commitQueue", "localFlush", "commitWakeUp"]);
  });
});

describe("the remote path", () => {
  it("is eight stages that follow each other without a gap", () => {
    expect(REMOTE_STAGE_IDS).toEqual([
      "send",
      "wireOut",
      "secondaryAppend",
      "secondaryFlush",
      "ackBuild",
      "ackSend",
      "wireBack",
      "ackReceive",
    ]);
    expect(REMOTE_PATH.map(({ id }) => id)).toEqual(REMOTE_STAGE_IDS);
    for (const [i, stage] of REMOTE_PATH.entries()) if (i > 0) expect(stage.from).toBe(REMOTE_PATH[i - 1].to);
    const whole = stageDefinition("remoteHarden");
    expect([REMOTE_PATH[0].from, REMOTE_PATH.at(-1)!.to]).toEqual([whole.from, whole.to]);
  });

  it("adds up to remote harden, and its parts on the secondary to the whole there (I1, I2)", () => {
    const model = modelOf([{ at: 0 }, { at: 9_000, hops: [{ send: 777, flush: 12_345, wireBack: 4 }] }]);
    const sumOf = (ids: readonly StageId[], row: number): number =>
      ids.reduce((sum, id) => sum + stageColumn(model, 0, id)[row], 0);
    for (const row of [0, 1]) {
      expect(sumOf(REMOTE_STAGE_IDS, row)).toBeCloseTo(stageColumn(model, 0, "remoteHarden")[row], 9);
      expect(sumOf(["secondaryAppend", "secondaryFlush", "ackBuild", "ackSend"], row)).toBeCloseTo(
        stageColumn(model, 0, "secondaryTotal")[row],
        9,
      );
      expect(sumOf(["wireOut", "wireBack"], row)).toBeCloseTo(
        stageColumn(model, 0, "networkRoundTrip")[row],
        9,
      );
    }
  });
});

const SERVERS = { primary: "SQL1", secondary: "SQL2" };

it("a stage's name has its replica, except for the network and for whole paths", () => {
  expect(stageName("localFlush", SERVERS)).toBe("SQL1 log write");
  expect(stageName("ackBuild", SERVERS)).toBe("SQL2 ack build");
  expect(stageName("secondaryTotal", SERVERS)).toBe("SQL2 all stages");
  expect(stageName("wireBack", SERVERS)).toBe("Network back");
  expect(stageName("remoteHarden", SERVERS)).toBe("Remote harden");
});

it("a stage's label has its replica only where two stages have the same label", () => {
  expect(stageLabel("secondaryFlush", SERVERS)).toBe("SQL2 log write");
  expect(stageLabel("captureLag", SERVERS)).toBe("Capture lag");
});
