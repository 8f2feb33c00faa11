import { UTC } from "../../ui/zone.ts";
import { expect, test } from "vitest";
import { changedFleet, fleetLane, fleetSide, twoGroups } from "../../../test/fleet.ts";
import {
  verdictText,
  capturesName,
  changeText,
  factorText,
  instantWords,
  laneHeading,
  outText,
  primaryName,
  rangeText,
  shownText,
} from "./fleet-text.ts";

const plain = (text: string): string => text.replaceAll("\u2009", " ");

test("factors: over and under one, large ones whole, none without both sides", () => {
  expect([2.8, 1 / 1.78, 0.999, 12.4, null, Number.NaN].map((factor) => plain(factorText(factor)))).toEqual([
    "× 2.80",
    "÷ 1.78",
    "× 1.00",
    "× 12",
    "–",
    "–",
  ]);
});

test("a bracket says since when and by how much", () => {
  const { a, days } = changedFleet();
  const { change } = a.lanes[2];
  expect(plain(changeText(change!, days))).toBe("since 21 Sep, p95 × 3.0");
  expect(plain(changeText({ ...change!, factor: 0.5 }, days))).toBe("since 21 Sep, p95 ÷ 2.0");
});

test("lanes are headed by their server and what that is", () => {
  const lanes = [
    fleetLane("commit", "", []),
    fleetLane("localFlush", "SQL1", []),
    fleetLane("networkRoundTrip", "SQL2", []),
    fleetLane("secondaryFlush", "SQL2", []),
    fleetLane("secondaryFlush", "SQL3", [], { isAsynchronous: true }),
    fleetLane("remoteHarden", "SQL4", []),
  ];
  const side = fleetSide([], lanes);
  expect(lanes.map((lane) => laneHeading(lane, side))).toEqual([
    "SALES-AG",
    "SQL1, primary",
    "SQL1 to SQL2 and back",
    "SQL2, sync",
    "SQL3, async",
    "SQL4, without its file",
  ]);
  // Another server was the primary in some of the captures.
  expect(primaryName({ lanes: [...lanes, fleetLane("localFlush", "SQL2", [])] })).toBe("Primary");
});

test("a row of captures has the name of its group, and beside another one of that the tag that parts them", () => {
  const side = { group: "sales", groupName: "SALES-AG", replica: "SQL2", tag: "nightly" };
  expect(capturesName(side, null)).toBe("SALES-AG, nightly");
  expect(capturesName(side, { ...side, replica: "SQL3" })).toBe("SALES-AG, nightly");
  expect(capturesName(side, { ...side, tag: "drill" })).toBe("nightly");
  expect(capturesName({ ...side, tag: null }, side)).toBe("all captures");
  expect(capturesName(side, { ...side, group: "crm" })).toBe("SALES-AG, nightly");
});

test("what is shown, what stands out, when a capture was, and the days of all", () => {
  expect(shownText(changedFleet())).toBe("29 captures shown, 1 night without one");
  expect(shownText(twoGroups())).toBe("59 captures shown, 1 night without one");
  expect([outText(1, 20), outText(2, 20)]).toEqual(["1 of 20 stands out", "2 of 20 stand out"]);
  expect(instantWords({ from: "2026-11-03T02:00:12.1234567Z" }, UTC)).toBe("3 Nov 02:00");
  expect(
    instantWords({ from: "2026-11-03T22:00:12.1234567Z" }, { kind: "browser", timeZone: "Asia/Kolkata" }),
  ).toBe("4 Nov 03:30");
  expect(rangeText(["2026-08-24", "2026-11-21"], "2026-11-21")).toBe("24 Aug to 21 Nov 2026");
});

test("the verdict of a capture is followed by the cause of its failover", () => {
  const verdict = "Commits wait for the network.";
  expect(verdictText({ verdict, failover: "leaseTimeout" })).toBe(`${verdict} Failover: lease timeout.`);
  expect(verdictText({ verdict })).toBe(verdict);
  expect(verdictText({ verdict: null, failover: "ddlByUser" })).toBe("Failover: by a user.");
});
