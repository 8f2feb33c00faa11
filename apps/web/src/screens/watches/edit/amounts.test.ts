import { expect, test } from "vitest";
import { type AmountKind, amountText, readAmount } from "./amounts.ts";

test.each<[AmountKind, string, number | null]>([
  ["delay", "15 ms", 15],
  ["delay", "0.5", 0.5],
  ["delay", "1.1 s", 1100],
  ["delay", "1 min", null],
  ["period", "90", 90],
  ["period", "10 min", 600],
  ["period", "1.5 min", 90],
  ["period", "2m", 120],
  ["period", "1 H", 3600],
  ["period", "0.5 s", null],
  ["period", "-5 s", null],
  ["times", "4 ×", 4],
  ["times", "2.5x", 2.5],
  ["queue", "100 MB", 102_400],
  ["queue", "100", 102_400],
  ["queue", "862 kb", 862],
  ["size", "2 GB", 2e9],
  ["size", "0.3 GB", 3e8],
  ["size", "2 GiB", null],
  ["days", "90 days", 90],
  ["days", "1 d", 1],
  ["count", "6", 6],
  ["count", "6.5", null],
  ["count", "6 a day", null],
  ["count", "", null],
  ["period", "5\u00A0s", 5],
])("a %s of %s is %s", (kind, text, amount) => {
  expect(readAmount(kind, text)).toBe(amount);
});

test.each<[AmountKind, number, string]>([
  ["delay", 15, "15 ms"],
  ["delay", 0.1, "0.1 ms"],
  ["delay", 1500, "1500 ms"],
  ["delay", 2000, "2 s"],
  ["period", 90, "90 s"],
  ["period", 600, "10 min"],
  ["period", 86_400, "24 h"],
  ["period", 0, "0 s"],
  ["queue", 102_400, "100 MB"],
  ["queue", 862, "862 KB"],
  ["size", 2e9, "2 GB"],
  ["size", 2.5e9, "2500 MB"],
  ["times", 4, "4 ×"],
  ["count", 20, "20"],
])("a %s of %s is shown as %s, and read again", (kind, amount, text) => {
  expect(amountText(kind, amount)).toBe(text);
  expect(readAmount(kind, text)).toBe(amount);
});
