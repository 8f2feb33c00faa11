import { expect, test } from "vitest";
import { metricFigure } from "./metric-figure.ts";

test("ms of waiting in each second have another unit than a number for each second", () => {
  expect(metricFigure(12, "msPerSecond")).toEqual({ value: "12.0", unit: "ms/s" });
  expect(metricFigure(12, "perSecond")).toEqual({ value: "12.0", unit: "/s" });
});
