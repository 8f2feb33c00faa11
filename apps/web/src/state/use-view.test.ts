import { expect, test } from "vitest";
import { viewUrl, withNamedBlock } from "./use-view.ts";
import { DEFAULT_VIEW } from "./view.ts";

test("an address has its block's name in the place of the row, and keeps the rest of its view", () => {
  const address = "https://aglens.example/captures/c/timeline?v=1&range=1_2&block=640&db=Sales1";
  const named = withNamedBlock(address, { database: "Sales1", lsn: "0000017b:00000031" });
  expect(named).toBe(
    "https://aglens.example/captures/c/timeline?v=1&range=1_2&block=Sales1:0000017b:00000031&db=Sales1",
  );
  expect(withNamedBlock(address, null)).toBe(address);
  const without = "https://aglens.example/captures/c";
  expect(withNamedBlock(without, { database: null, lsn: "0000017b:00000031" })).toBe(without);
});

test("a row that is selected on one screen is no part of the address of another", () => {
  const view = { ...DEFAULT_VIEW, secondary: null, sqlRow: 9, expectation: "fractions" as const };
  expect(viewUrl("/captures/c/how-read", view)).toBe("/captures/c/how-read?v=1&row=fractions");
  expect(viewUrl("/captures/c/sql", view)).toBe("/captures/c/sql?v=1&row=9");
  expect(viewUrl("/captures/c", view)).toBe("/captures/c");
});
