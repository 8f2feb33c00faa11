import { expect, it } from "vitest";
import { modelOf, withCommitMode } from "../../test/model.ts";
import { changeName, msText } from "./change-text.ts";
import { formatChange } from "./changes.ts";
import { predictAll, preparePredictions, writeP50 } from "./possible-changes.ts";

const model = modelOf(
  [0, 100_000, 200_000].map((at) => ({ at, hops: [{}, { flush: 20_000 }] })),
  { secondaries: 2 },
);
const names = (found: typeof model): string[] =>
  predictAll(found).map(({ change }) => formatChange(found, change));

it("are all that the capture allows, the largest effect on p95 first", () => {
  expect(names(model).slice(0, 2).toSorted()).toEqual(["async:SQL3", "write:SQL3:as:SQL1"]);
  expect(names(model)).toHaveLength(11);
  expect(names(model)).toContain("write:SQL2:as:SQL1");
  // The primary's writes take 2,000 µs and are the fastest.
  expect(names(model)).not.toContain("write:SQL1:as:SQL2");
  const p95 = predictAll(model).map(({ predicted }) => predicted.p95);
  expect(p95).toEqual(p95.toSorted((a, b) => a - b));
});

it("are for an asynchronous replica only to be synchronous, and without a file nothing of its disk or network", () => {
  const asynchronous = withCommitMode(model, 2, "async");
  const [first, second, third] = asynchronous.replicas;
  const changed = { ...asynchronous, replicas: [first, { ...second, hasCapture: false }, third] };
  expect(names(changed).toSorted()).toEqual([
    "async:SQL2",
    "compression:SQL2:0us",
    "sync:SQL3",
    "write:SQL1:p50",
  ]);
  expect(writeP50(changed, 1)).toBeNaN();
  expect([0, 1, 2].map((replica) => writeP50(model, replica))).toEqual([2_000, 3_000, 20_000]);
});

it("don't save the compression of blocks that are sent uncompressed", () => {
  const sent = [0, 100_000].map((at) => ({ at, hops: [{ compression: Number.NaN }, {}] }));
  const compressions = names(modelOf(sent, { secondaries: 2 })).filter((name) => name.startsWith("comp"));
  expect(compressions).toEqual(["compression:SQL3:0us"]);
});

it("are the same when they were prepared one by one", () => {
  const prepared = { ...model };
  // The primary's log, four parts of the way to each of two secondaries, three servers' writes, and eleven changes: replayed
  // without the change, then with it.
  expect([...preparePredictions(prepared)]).toHaveLength(34);
  expect(predictAll(prepared)).toEqual(predictAll({ ...model }));
});

it("are none without a secondary", () => {
  expect(names(modelOf([]))).toEqual([]);
});

it("have names in words", () => {
  const name = (change: Parameters<typeof changeName>[1]) => changeName(model, change);
  expect(name({ kind: "async", replica: 2 })).toBe("SQL3 asynchronous");
  expect(name({ kind: "sync", replica: 2 })).toBe("SQL3 synchronous");
  expect(name({ kind: "network", replica: 2, roundTripUs: 200 })).toBe("Network to SQL3 200 µs");
  expect(name({ kind: "compression", replica: 2, us: 0 })).toBe("No compression cost to SQL3");
  expect(name({ kind: "write", replica: 2, figure: { replica: 1 } })).toBe("SQL3's log write as SQL2's");
  expect(name({ kind: "write", replica: 2, figure: { us: 5_000 } })).toBe("SQL3's log write 5.00 ms");
});

it("writes durations with three digits and their unit", () => {
  expect(msText(Number.NaN)).toBe("–");
  expect([0, 999, 999.6, 12_345, 999_499, 999_600, 9_994_000, 12_340_000].map(msText)).toEqual([
    "0 µs",
    "999 µs",
    "1.00 ms",
    "12.3 ms",
    "999 ms",
    "1.00 s",
    "9.99 s",
    "12.3 s",
  ]);
});
