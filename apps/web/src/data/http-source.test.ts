import { expect, test } from "vitest";
import { captureAddress, linkAddress, type CaptureAddress } from "./capture-address.ts";
import { httpSource } from "./http-source.ts";

test("distributions and their spread are asked of the chosen database and phase", () => {
  const source = httpSource(captureAddress("c"), { database: 3, phase: 1 });
  const range = { from: 0, to: 5 };
  const asked = [
    source.distribution({ range, other: null, secondary: 0, axis: "log", stage: "commit" }),
    source.spread(range, 0),
  ];
  for (const { key } of asked) {
    const { searchParams } = new URL(key, "http://server");
    expect([searchParams.get("database"), searchParams.get("phase")], key).toEqual(["3", "1"]);
  }
});

test("tables are not given behind a link, and as Parquet by a server alone", () => {
  const range = { from: 0, to: 5 };
  const given = (address: CaptureAddress) =>
    (["csv", "arrow", "parquet"] as const).filter(
      (format) => httpSource(address).table("hops", format, range) !== null,
    );
  expect(given(captureAddress("c"))).toEqual(["csv", "arrow", "parquet"]);
  expect(given(captureAddress("local-c"))).toEqual(["csv", "arrow"]);
  expect(given(linkAddress("l"))).toEqual([]);
  expect(httpSource(linkAddress("l")).trace(range)).toBeNull();
  const { key } = httpSource(captureAddress("local-c"), { database: 1, phase: null }).trace(range)!;
  expect(key).toContain("/local-c/export/perfetto?from=0&to=5&database=1");
});
