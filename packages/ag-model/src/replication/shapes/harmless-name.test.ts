import { expect, it } from "vitest";
import { harmlessName } from "./harmless-name.ts";

it.each([
  ["NODE3\\SALES", "NODE3\\SALES"],
  [" Umsätze 売上 ", "Umsätze 売上"],
  ["SQL1\u0000\u0007\r\n\u0085", "SQL1"],
  ["\u202eSQL1\u2066\u200e\u200b\u2028\u2029\ufeff", "SQL1"],
  ["\u0000", ""],
])("%j is shown as %j", (text, shown) => {
  expect(harmlessName(text)).toBe(shown);
});

it("keeps a sysname whole and cuts what is longer", () => {
  expect(harmlessName("x".repeat(128))).toBe("x".repeat(128));
  expect(harmlessName("x".repeat(129))).toBe(`${"x".repeat(127)}…`);
  expect(harmlessName("x".repeat(1_000_000))).toBe(`${"x".repeat(127)}…`);
  expect(harmlessName(`${"x".repeat(126)}😀yy`)).toBe(`${"x".repeat(126)}…`);
});
