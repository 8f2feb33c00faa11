import { REMOTE_STAGE_IDS, STAGES, stageName } from "@aglens/ag-model/replication";
import { expect, test } from "vitest";
import { placeOf, placeToken, stageToken } from "./palette.ts";

const names = { primary: "SQL1", secondary: "SQL2" };

test("hue is the place and strength the kind, for every stage", () => {
  expect(Object.fromEntries(STAGES.map(({ id }) => [id, stageToken(id)]))).toEqual({
    commitQueue: "--p-work",
    localFlush: "--p-disk",
    captureLag: "--p-work",
    compression: "--p-work",
    send: "--p-work",
    wireOut: "--n-out",
    secondaryAppend: "--s-work",
    decompression: "--s-work",
    secondaryFlush: "--s-disk",
    ackBuild: "--s-work",
    ackSend: "--s-work",
    secondaryTotal: "--wait",
    wireBack: "--n-back",
    ackReceive: "--p-work",
    commitWakeUp: "--p-work",
    remoteHarden: "--wait",
    networkRoundTrip: "--n-out",
  });
  expect(stageToken("commit")).toBe("--wait");
});

test("both directions of the network are one place, a total is none", () => {
  expect(REMOTE_STAGE_IDS.map(placeOf)).toEqual([
    "primary",
    "network",
    "secondary",
    "secondary",
    "secondary",
    "secondary",
    "network",
    "primary",
  ]);
  expect([placeOf("remoteHarden"), placeOf("secondaryTotal"), placeOf("commit")]).toEqual([
    "none",
    "none",
    "none",
  ]);
});

test("a place has its strong color", () => {
  expect((["primary", "network", "secondary", "none"] as const).map(placeToken)).toEqual([
    "--p-disk",
    "--n-out",
    "--s-disk",
    "--wait",
  ]);
});

test("a stage is called by where it happens", () => {
  expect(stageName("localFlush", names)).toBe("SQL1 log write");
  expect(stageName("secondaryFlush", names)).toBe("SQL2 log write");
  expect(stageName("wireBack", names)).toBe("Network back");
  expect(stageName("secondaryTotal", names)).toBe("SQL2 all stages");
  for (const { id } of STAGES) expect(stageName(id, names)).not.toContain("undefined");
});
