import type { LiveBins, LivePicture } from "@aglens/contract";
import { describe, expect, it } from "vitest";
import { livePicture as picture } from "../../../test/live.ts";
import { poll } from "../../../test/polls.ts";
import { mergeBins, mergePicture } from "./picture.ts";

const bins = (firstBin: number, values: (number | null)[]): LiveBins => ({
  width: 100_000,
  firstBin,
  count: values.map((value) => (value === null ? 0 : 1)),
  p50: { commit: values },
  max: { commit: values },
});

describe("bins of a running picture", () => {
  it("replace what was there from the delta's first bin on and keep what lies before", () => {
    const merged = mergeBins(mergeBins(null, bins(10, [1, 2, 3]), 1e9), bins(12, [30, 40]), 1e9)!;
    expect(merged.firstBin).toBe(10);
    expect([...merged.p50.get("commit")!]).toEqual([1, 2, 30, 40]);
    expect([...merged.count]).toEqual([1, 1, 1, 1]);
  });

  it("leave a hole where a delta was missed", () => {
    const merged = mergeBins(mergeBins(null, bins(0, [1]), 1e9), bins(3, [4]), 1e9)!;
    expect([...merged.p50.get("commit")!]).toEqual([1, Number.NaN, Number.NaN, 4]);
    expect([...merged.count]).toEqual([1, 0, 0, 1]);
  });

  it("keep no more than asked for", () => {
    const merged = mergeBins(mergeBins(null, bins(0, [1, 2, 3]), 1e9), bins(3, [4, 5]), 300_000)!;
    expect(merged.firstBin).toBe(2);
    expect([...merged.max.get("commit")!]).toEqual([3, 4, 5]);
  });

  it("start anew when the width has changed", () => {
    const merged = mergeBins(mergeBins(null, bins(0, [1]), 1e9), { ...bins(0, [9]), width: 200_000 }, 1e9)!;
    expect(merged.width).toBe(200_000);
    expect(merged.length).toBe(1);
  });
});

describe("a run's state", () => {
  const gap = { replica: 1, from: 2e6, to: null, reason: "connection" as const, message: "lost" };
  const pollAt = (at: number): LivePicture["polls"][number] => poll({ at });

  it("keeps gauges that a delta does not repeat, and closes a gap whose ends moved with the clock", () => {
    const first = mergePicture(null, picture({ gaps: [gap], polls: [pollAt(1e6)] }), true);
    const second = mergePicture(
      first,
      picture({ gaps: [{ ...gap, from: 2_001_000, to: 4e6 }], polls: [pollAt(2e6)] }),
      false,
    );
    expect(second.gaps).toEqual([{ ...gap, from: 2_001_000, to: 4e6 }]);
    expect(second.polls.map((p) => p.at)).toEqual([1e6, 2e6]);
  });

  it("forgets all that came before when a full picture comes", () => {
    const first = mergePicture(null, picture({ gaps: [gap], bins: bins(0, [1, 2]) }), true);
    const second = mergePicture(first, picture({ bins: bins(7, [3]) }), true);
    expect(second.gaps).toEqual([]);
    expect(second.bins?.firstBin).toBe(7);
  });

  it("begins anew when time 0 is another instant", () => {
    const first = mergePicture(null, picture({ polls: [pollAt(1e6)], bins: bins(0, [1]) }), true);
    const second = mergePicture(
      first,
      picture({ origin: "2026-11-21T07:00:02Z", polls: [pollAt(3e6)] }),
      false,
    );
    expect(second.polls).toHaveLength(1);
    expect(second.bins).toBeNull();
  });

  it("takes a gauge that is reported again once", () => {
    const first = mergePicture(null, picture({ polls: [pollAt(1e6), pollAt(2e6)] }), true);
    const second = mergePicture(first, picture({ polls: [pollAt(2_030_000), pollAt(3_030_000)] }), false);
    expect(second.polls.map((p) => p.at)).toEqual([1e6, 2_030_000, 3_030_000]);
  });

  it("lets old gauges go", () => {
    const first = mergePicture(null, picture({ polls: [pollAt(1e6)] }), true);
    expect(mergePicture(first, picture({ now: 400e6, polls: [pollAt(399e6)] }), false).polls).toHaveLength(1);
  });
});
