import { expect, test } from "vitest";
import { fleetQuery, readFleetAddress, writeFleetAddress } from "./fleet-address.ts";

const USUAL = readFleetAddress("");

test("an address has only what differs, and reads back as it was", () => {
  expect(writeFleetAddress(USUAL)).toBe("");
  const address = {
    a: "SALES & CO",
    b: "CRM-AG",
    aReplica: "SQL2\\A",
    bReplica: "CRM3",
    tag: "month end",
    bTag: "drill",
    days: 365,
    percentile: "p99",
    at: "2026-11-03",
    view: ["2026-10-01", "2026-11-21"],
    time: "browser",
  } as const;
  expect(readFleetAddress(writeFleetAddress(address))).toEqual(address);
});

test("what makes no sense in an address is as if it were not there", () => {
  expect(readFleetAddress("a=&days=31&q=p12&at=yesterday&view=2026-10-01&time=moon&other=1")).toEqual(USUAL);
});

test("selection, percentile and view are no part of the question", () => {
  expect(fleetQuery(readFleetAddress("a=A&q=p50&at=2026-11-03&view=2026-10-01~2026-11-21")).toString()).toBe(
    "a=A",
  );
});
