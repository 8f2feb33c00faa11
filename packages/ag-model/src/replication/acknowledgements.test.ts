import { describe, expect, it } from "vitest";
import { coveringAcknowledgements } from "./acknowledgements.ts";

const at = (...ids: [number, number][]) => ({
  high: Uint32Array.from(ids, (i) => i[0]),
  low: Uint32Array.from(ids, (i) => i[1]),
});

describe("coveringAcknowledgements", () => {
  it("takes the acknowledgement that names the block's end", () => {
    const { ack, exact } = coveringAcknowledgements(
      at([0x22, 0x11], [0x22, 0x12]),
      at([0x22, 0x11], [0x22, 0x12]),
    );
    expect([...ack]).toEqual([0, 1]);
    expect([...exact]).toEqual([1, 1]);
  });
  it("holds at the end of a VLF, where the next block is in the next VLF", () => {
    // Block 22:21f of one unit ends at 22:220; the next block is 23:10 of two units.
    const { ack, exact } = coveringAcknowledgements(
      at([0x22, 0x220], [0x23, 0x12]),
      at([0x22, 0x220], [0x23, 0x12]),
    );
    expect([...ack]).toEqual([0, 1]);
    expect([...exact]).toEqual([1, 1]);
  });
  it("lets one acknowledgement cover several blocks", () => {
    const { ack, exact } = coveringAcknowledgements(
      at([1, 20], [1, 30], [1, 40], [2, 18]),
      at([1, 10], [1, 40]),
    );
    expect([...ack]).toEqual([1, 1, 1, -1]);
    expect([...exact]).toEqual([0, 0, 1, 0]);
  });
});
