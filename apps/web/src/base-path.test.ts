import { expect, test } from "vitest";
import { basePathOf, withBasePath, withoutBasePath } from "./base-path.ts";
import { API } from "./data/request.ts";

/** A page with, or without, the mark that the server writes. */
const page = (base: string | null) => ({
  querySelector: (selector: string) =>
    base === null || selector !== 'meta[name="aglens-base"]' ? null : { getAttribute: () => base },
});
const basePathIn = (base: string | null): string => basePathOf(page(base));

test("the page names the path that a proxy puts the app under; without that it is at the root", () => {
  expect(basePathIn("/tools/aglens")).toBe("/tools/aglens");
  expect(basePathIn(null)).toBe("");
  expect(API).toBe("/api/v1");
});

test.each([
  ["", "/captures/a?v=1", "/captures/a?v=1"],
  ["/aglens", "/captures/a?v=1", "/aglens/captures/a?v=1"],
  ["/aglens", "/", "/aglens/"],
])("under %j, %s of the app is %s of the browser", (base, inside, outside) => {
  expect(withBasePath(inside, base)).toBe(outside);
  expect(withoutBasePath(outside, base)).toBe(inside);
});

test("the base path without its slash is the app's first page", () => {
  expect(withoutBasePath("/aglens", "/aglens")).toBe("/");
  expect(withoutBasePath("/aglens?v=1", "/aglens")).toBe("/?v=1");
});
