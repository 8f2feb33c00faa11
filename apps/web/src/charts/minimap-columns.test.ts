import { expect, test } from "vitest";
import type { BinWindow } from "@aglens/contract";
import { decidingPlace, minimapColumns } from "./minimap-columns.ts";

test("the largest part of the remote path names the place", () => {
  const parts = { handling: 1_000, network: 150_000, secondary: 7_000 };
  expect(decidingPlace(6_000, 158_000, parts)).toBe("network");
  expect(decidingPlace(6_000, 158_000, { ...parts, network: 500, secondary: 156_500 })).toBe("secondary");
});

test("the primary's log write names it only when it outlasted the remote path", () => {
  const parts = { handling: 300, network: 700, secondary: 7_000 };
  expect(decidingPlace(7_900, 8_000, parts)).toBe("secondary");
  expect(decidingPlace(8_000, 8_000, parts)).toBe("primary");
  expect(decidingPlace(6_000, 0, { handling: 0, network: 0, secondary: 0 })).toBe("primary");
});

test("a block whose larger part is unknown has no place", () => {
  // The secondary's file ended: only the send is known.
  expect(decidingPlace(3_000, 28_000, { handling: 200, network: 0, secondary: 0 })).toBe("none");
  // Its acknowledgement is missing, but what is known is more than the rest can be.
  expect(decidingPlace(3_000, 28_000, { handling: 200, network: 20_000, secondary: 0 })).toBe("network");
  expect(decidingPlace(0, 0, { handling: 0, network: 0, secondary: 0 })).toBe("none");
});

test("without the primary's file a block is as long as its time on the secondary", () => {
  const max = { "hop0.remoteHarden": [Number.NaN, Number.NaN], "hop0.secondaryFlush": [6_000, 40_000] };
  const window = {
    detail: "bins",
    from: 0,
    to: 2_000_000,
    length: 2,
    count: Uint32Array.of(3, 1),
    slowest: Uint32Array.of(0, 3),
    max: Object.fromEntries(Object.entries(max).map(([key, values]) => [key, Float64Array.from(values)])),
    p50: {},
  } satisfies BinWindow;
  const columns = minimapColumns(window, 0, 2);
  expect([...columns.slowest]).toEqual([6_000, 40_000]);
  expect(columns.place).toEqual(["secondary", "secondary"]);
});
