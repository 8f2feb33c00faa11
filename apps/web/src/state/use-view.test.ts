import { expect, test } from "vitest";
import { withNamedBlock } from "./use-view.ts";

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
