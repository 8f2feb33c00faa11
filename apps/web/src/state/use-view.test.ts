import { expect, test } from "vitest";
import { linkFor, viewUrl } from "./use-view.ts";
import { DEFAULT_VIEW } from "./view.ts";

test("a link has its block's name in the place of the row and the choice of times, and keeps the rest of its view", () => {
  const address = "https://aglens.example/captures/c/timeline?v=1&range=1_2&block=640&db=Sales1";
  const named = linkFor(address, { database: "Sales1", lsn: "0000017b:00000031" }, "server");
  expect(named).toBe(
    "https://aglens.example/captures/c/timeline?v=1&range=1_2&block=Sales1:0000017b:00000031&time=server&db=Sales1",
  );
  expect(linkFor(address, null, "utc")).toBe(
    "https://aglens.example/captures/c/timeline?v=1&range=1_2&block=640&time=utc&db=Sales1",
  );
  const without = "https://aglens.example/captures/c";
  expect(linkFor(without, { database: null, lsn: "0000017b:00000031" }, "browser")).toBe(
    `${without}?v=1&time=browser`,
  );
});

test("a row that is selected on one screen is no part of the address of another", () => {
  const view = { ...DEFAULT_VIEW, secondary: null, sqlRow: 9, expectation: "fractions" as const };
  expect(viewUrl("/captures/c/how-read", view)).toBe("/captures/c/how-read?v=1&row=fractions");
  expect(viewUrl("/captures/c/sql", view)).toBe("/captures/c/sql?v=1&row=9");
  expect(viewUrl("/captures/c", view)).toBe("/captures/c");
});
