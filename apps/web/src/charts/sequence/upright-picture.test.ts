import { expect, test } from "vitest";
import { SLOW_BLOCK } from "../../../test/sequence.ts";
import { uprightLayout } from "./upright-picture.tsx";

const layout = uprightLayout({ sequence: SLOW_BLOCK, secondary: 0, width: 390 });

test("time goes down: what leaves the primary arrives below, and comes back below that", () => {
  const { out, write, back } = layout;
  expect(out![0]).toBeLessThan(out![1]);
  expect(out![1]).toBeLessThanOrEqual(write![0]);
  expect(write![1]).toBeLessThanOrEqual(back![0]);
  expect(back![0]).toBeLessThan(back![1]);
});

test("is to scale: equal durations have equal lengths", () => {
  const { anchors } = SLOW_BLOCK.hops[0];
  const perUs = (extent: readonly [number, number], from: number, to: number) =>
    (extent[1] - extent[0]) / (to - from);
  const ofOut = perUs(layout.out!, anchors.departed ?? anchors.sendStart!, anchors.received!);
  const ofWrite = perUs(layout.write!, anchors.secondaryFlushStart!, anchors.secondaryFlushEnd!);
  expect(ofOut).toBeCloseTo(ofWrite, 9);
});

test("without the secondary's file the network and its disk are one bar", () => {
  const hop = SLOW_BLOCK.hops[0];
  const none = {
    received: null,
    secondaryFlushStart: null,
    secondaryFlushEnd: null,
    ackBuilt: null,
    ackDeparted: null,
    ackSent: null,
  };
  const hops = [{ ...hop, anchors: { ...hop.anchors, ...none } }];
  const hidden = uprightLayout({ sequence: { ...SLOW_BLOCK, hops }, secondary: 0, width: 390 });
  expect([hidden.out, hidden.write, hidden.back]).toEqual([null, null, null]);
  expect(hidden.hidden![0]).toBeLessThan(hidden.hidden![1]);
});
