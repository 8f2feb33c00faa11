import fc from "fast-check";
import { expect, test } from "vitest";
import { ComponentSeries } from "./component-series.ts";
import { readComponent, type ComponentReport } from "./components.ts";

const io = (total: number, interval: number, pending = ""): ComponentReport =>
  readComponent(
    "io_subsystem",
    `<ioSubsystem ioLatchTimeouts="0" intervalLongIos="${interval}" totalLongIos="${total}"><longestPendingRequests>${pending}</longestPendingRequests></ioSubsystem>`,
  )!;

test("requests over 15 s are rises of the total, whichever session reported it, and none over a restart", () => {
  const reports = new ComponentSeries();
  const pending = '<pendingRequest duration="15800" filePath="F:\\Sales.ldf"/>';
  reports.add(300e6, io(2, 2));
  // Not in order of time.
  reports.add(900e6, io(9, 4));
  reports.add(600e6, io(5, 3, pending));
  reports.add(1200e6, io(1, 1));
  const tasks = '<queryProcessing pendingTasks="7" workersCreated="67" workersIdle="25"/>';
  reports.add(300e6, readComponent("query_processing", tasks)!);
  const found = reports.end("a.xel", "SQL2");
  expect(found.map(({ metric, form, values }) => [metric, form, ...values])).toEqual([
    ["requests over 15 s", "delta", Number.NaN, 3, 4, Number.NaN],
    ["I/O latch timeouts", "delta", Number.NaN, 0, 0, 0],
    ["longest pending I/O", "sample", 0, 15_800, 0, 0],
    ["pending tasks", "sample", 7],
    ["workers in use", "sample", 42],
  ]);
  expect(found[0]).toMatchObject({
    server: "SQL2",
    atUs: Float64Array.of(300e6, 600e6, 900e6, 1200e6),
    source: { file: "a.xel", column: "totalLongIos" },
  });
});

test("one report is cumulative, and none has no series", () => {
  const reports = new ComponentSeries();
  expect(reports.end("a.xel", null)).toEqual([]);
  reports.add(0, io(19, 0));
  expect(reports.end("a.xel", null)[0]).toMatchObject({
    form: "cumulative",
    values: Float64Array.of(19),
  });
});

test("rises are never negative", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(1e6), fc.nat(100)), { minLength: 2 }), (totals) => {
      const reports = new ComponentSeries();
      for (const [atUs, total] of totals) reports.add(atUs, io(total, 0));
      const [series] = reports.end("a.xel", null);
      expect(series!.values.every((value) => Number.isNaN(value) || value >= 0)).toBe(true);
    }),
  );
});
