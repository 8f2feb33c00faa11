import { expect, it } from "vitest";
import { modelOf } from "../../test/model.ts";
import { ChangeError, formatChange, isDistribution, parseChange, parseDuration } from "./changes.ts";

const model = modelOf([{ at: 0 }], { secondaries: 2 });

it.each([
  ["async:SQL3", { kind: "async", replica: 2 }],
  ["sync:sql2", { kind: "sync", replica: 1 }],
  ["write:SQL3:p95", { kind: "write", replica: 2, figure: { percentile: 95 } }],
  ["write:SQL3:as:SQL2", { kind: "write", replica: 2, figure: { replica: 1 } }],
  ["write:SQL1:5ms", { kind: "write", replica: 0, figure: { us: 5_000 } }],
  ["write:SQL3:0.5ms", { kind: "write", replica: 2, figure: { us: 500 } }],
  [
    "write:SQL3:p50=2ms,p99.9=60ms",
    {
      kind: "write",
      replica: 2,
      figure: {
        points: [
          [50, 2_000],
          [99.9, 60_000],
        ],
      },
    },
  ],
  ["network:SQL3:200us", { kind: "network", replica: 2, roundTripUs: 200 }],
  ["compression:SQL2:0us", { kind: "compression", replica: 1, us: 0 }],
])("%s is read, and read again from its short form", (text, change) => {
  const found = parseChange(model, text);
  expect(found).toEqual(change);
  expect(parseChange(model, formatChange(model, found))).toEqual(change);
});

it.each([
  ["", "change.syntax"],
  ["a faster disk", "change.syntax"],
  ["async:SQL9", "change.replica"],
  ["async:", "change.replica"],
  ["async:SQL2:5ms", "change.syntax"],
  ["faster:SQL2", "change.syntax"],
  ["write:SQL2", "change.syntax"],
  ["write:SQL2:p101", "change.syntax"],
  ["write:SQL2:5", "change.syntax"],
  ["write:SQL2:-5ms", "change.syntax"],
  ["write:SQL2:p50=2ms", "change.syntax"],
  ["write:SQL2:p50=2ms,p40=3ms", "change.syntax"],
  ["write:SQL2:p50=2ms,p90=1ms", "change.syntax"],
  ["write:SQL2:as:SQL9", "change.replica"],
  ["network:SQL2:61s", "change.syntax"],
])("%j is refused with a code", (text, code) => {
  const refusal = (() => {
    try {
      return parseChange(model, text);
    } catch (error) {
      return error;
    }
  })();
  expect(refusal).toBeInstanceOf(ChangeError);
  expect(refusal).toHaveProperty("code", code);
});

it("writes the id of a replica whose name is not its own alone", () => {
  const [first, second, third] = model.replicas;
  const same = { ...model, replicas: [first, second, { ...third, name: second.name }] };
  expect(formatChange(same, { kind: "async", replica: 2 })).toBe("async:replica-2");
  expect(parseChange(same, "async:replica-2")).toEqual({ kind: "async", replica: 2 });
});

it("reads durations with a unit up to a minute", () => {
  expect(["5ms", "1.5 s", "60s", "0us", "7µs"].map(parseDuration)).toEqual([5_000, 1_500_000, 6e7, 0, 7]);
  expect(["5", "ms", "60.1s", "1e3ms"].map(parseDuration)).toEqual([null, null, null, null]);
});

it("takes only percents and durations that ascend for a distribution", () => {
  expect(
    isDistribution([
      [0, 1],
      [100, 1],
    ]),
  ).toBe(true);
  expect(
    isDistribution([
      [0, 1],
      [0, 2],
    ]),
  ).toBe(false);
  expect(
    isDistribution([
      [50, 2],
      [90, 1],
    ]),
  ).toBe(false);
  expect(
    isDistribution([
      [50, 2],
      [101, 3],
    ]),
  ).toBe(false);
});
