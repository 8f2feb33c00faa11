import type { LiveLane, LiveReplica } from "@aglens/contract";
import { describe, expect, it } from "vitest";
import {
  binsByRow,
  laneOfPhase,
  platesOf,
  primaryAt,
  roleChangesOf,
  unawaitedSecondaries,
} from "./phase-lanes.ts";
import type { BinStore } from "./picture.ts";

const lane = (key: string, heading: string, secondary = -1): LiveLane => ({
  commitMode: "undetermined",
  key,
  label: key,
  heading,
  place: secondary < 0 ? "primary" : "secondary",
  secondary,
  replica: secondary,
});

// SQL1 was the primary to SQL2 (number 0) and SQL3 (number 1); then SQL3 took over, with SQL1 as number 2.
const THEN = [
  lane("commit", "SQL1, primary"),
  lane("hop0.secondaryFlush", "SQL2, secondary", 0),
  lane("hop1.secondaryFlush", "SQL3, secondary", 1),
];
const NOW = [
  lane("commit", "SQL3, primary"),
  lane("hop2.secondaryFlush", "SQL1, secondary", 2),
  lane("hop0.secondaryFlush", "SQL2, secondary", 0),
];
const PHASES = [{ from: 0, to: 20, primary: 0, lanes: THEN }];

describe("the row of a lane", () => {
  it("had the same replica before a failover where that was a secondary then too, else the one that is not any more", () => {
    expect(NOW.map((each) => laneOfPhase(each, NOW, THEN)?.heading)).toEqual([
      "SQL1, primary",
      "SQL3, secondary",
      "SQL2, secondary",
    ]);
    expect(
      laneOfPhase(lane("hop3.unseen", "SQL4, not attached", 3), [...NOW, lane("hop3.unseen", "", 3)], THEN),
    ).toBeNull();
  });

  it("has the bins of that time", () => {
    const columns = new Map([
      ["commit", Float64Array.of(1, 2, 3, 4)],
      ["hop0.secondaryFlush", Float64Array.of(5, 6, 7, 8)],
      ["hop1.secondaryFlush", Float64Array.of(9, 10, Number.NaN, Number.NaN)],
      ["hop2.secondaryFlush", Float64Array.of(Number.NaN, Number.NaN, 11, 12)],
    ]);
    const bins: BinStore = {
      width: 10,
      firstBin: 0,
      length: 4,
      count: new Float64Array(4),
      p50: columns,
      max: columns,
    };
    const rows = binsByRow(bins, NOW, PHASES)!.p50;
    expect([...rows.get("commit")!]).toEqual([1, 2, 3, 4]);
    expect([...rows.get("hop2.secondaryFlush")!]).toEqual([9, 10, 11, 12]);
    expect([...rows.get("hop0.secondaryFlush")!]).toEqual([5, 6, 7, 8]);
    // The kept bins begin after the change, so nothing has to be done.
    const later = { ...bins, firstBin: 2 };
    expect(binsByRow(later, NOW, PHASES)).toBe(later);
    expect(binsByRow(null, NOW, PHASES)).toBeNull();
  });

  it("has a plate where its name changed", () => {
    const plates = platesOf(NOW, PHASES);
    expect(plates.get("commit")).toEqual([{ at: 20, before: "SQL1, primary", after: "SQL3, primary" }]);
    expect(plates.get("hop0.secondaryFlush")).toEqual([]);
  });
});

describe("a change of roles", () => {
  const replicas = (roles: readonly LiveReplica["role"][]): LiveReplica[] =>
    roles.map((role, index) => ({ index, role, name: `SQL${index + 1}` }) as LiveReplica);

  it("is where a phase of another primary ends", () => {
    const changed = replicas(["secondary", "secondary", "primary"]);
    expect(roleChangesOf({ phases: PHASES, replicas: changed })).toEqual([
      { at: 20, label: "SQL3 becomes primary" },
    ]);
  });

  it("is not there while nobody is the primary, nor when the same server began anew", () => {
    for (const roles of [
      ["secondary", "secondary", "secondary"],
      ["primary", "secondary", "secondary"],
    ] as const)
      expect(roleChangesOf({ phases: PHASES, replicas: replicas(roles) })).toEqual([]);
  });
});

describe("the primary of an instant", () => {
  it("is that of its phase, and behind the last one the present one", () => {
    const replicas = [
      { index: 0, role: "secondary" },
      { index: 2, role: "primary" },
    ] as const;
    const roles = { phases: [...PHASES, { to: 30, primary: 1 }], replicas };
    expect([0, 19.9, 20, 29.9, 30, 99].map((at) => primaryAt(roles, at))).toEqual([0, 0, 1, 1, 2, 2]);
    expect(primaryAt({ phases: [], replicas: [] }, 5)).toBe(-1);
  });
});

describe("secondaries that no commit waits for", () => {
  const of = (secondary: number, commitMode: LiveLane["commitMode"]): LiveLane => ({
    ...lane(`hop${secondary}.wireOut`, "", secondary),
    commitMode,
  });

  it("are those that are asynchronous by the newest that is known, also of earlier roles", () => {
    const phases = [{ from: 0, to: 20, primary: 0, lanes: [of(0, "async"), of(1, "async"), of(2, "sync")] }];
    const lanes = [lane("commit", ""), of(0, "undetermined"), of(2, "async"), of(3, "sync")];
    expect(unawaitedSecondaries({ lanes, phases })).toEqual(new Set([0, 1, 2]));
    expect([...unawaitedSecondaries({ lanes: [of(0, "sync")], phases })]).toEqual([1]);
  });
});
