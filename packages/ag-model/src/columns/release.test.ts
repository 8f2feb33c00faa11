import { describe, expect, it } from "vitest";
import { modelOf } from "../../test/model.ts";
import { Gate } from "../replication/shapes/tables.ts";
import { ackEnds, releaseColumns, releasedAt } from "./index.ts";

/** The log write of the first block lasts longer than the way to both secondaries; the others take 4.2 and 9.2 ms. */
const model = modelOf([{ at: 0, localFlush: 50_000 }, { at: 100_000 }], {
  secondaries: 2,
});
model.hops[1].ackProcessed[1] += 5_000;

describe("when a block was released", () => {
  it("is the end of what its gate names", () => {
    // 50 µs commit queue and 50 ms of log write; 50 µs and the healthy way of 4.2 ms.
    expect(releasedAt(model, 0, Gate.localFlush)).toBe(50_050);
    expect(releasedAt(model, 1, Gate.ofSecondary(0))).toBe(104_250);
    expect(releasedAt(model, 1, Gate.ofSecondary(1))).toBe(109_250);
  });

  it("is not known without a gate, of a secondary that is none, and of a block that is in no file", () => {
    expect(releasedAt(model, 0, Gate.unknown)).toBeNaN();
    expect(releasedAt(model, 0, Gate.ofSecondary(2))).toBeNaN();
    for (const gate of [Gate.unknown, Gate.localFlush, Gate.ofSecondary(0)])
      expect(releasedAt(model, -1, gate)).toBeNaN();
  });

  it("is in the column of the gate", () => {
    const columns = releaseColumns(model);
    expect(columns[Gate.unknown]).toBeUndefined();
    expect(columns[Gate.ofSecondary(2)]).toBeUndefined();
    for (const gate of [Gate.localFlush, Gate.ofSecondary(0), Gate.ofSecondary(1)])
      expect([0, 1].map((block) => columns[gate]![block])).toEqual(
        [0, 1].map((block) => releasedAt(model, block, gate)),
      );
  });
});

describe("the end of an acknowledgment", () => {
  it("is that of the commits which it released, else the instant it was processed", () => {
    model.blocks.gate.set([Gate.localFlush, Gate.ofSecondary(1)]);
    model.blocks.commitEnd.set([50_090, 109_400]);
    expect([...ackEnds(model, 0)]).toEqual([4_250, 104_250]);
    expect([...ackEnds(model, 1)]).toEqual([4_250, 109_400]);
  });
});
