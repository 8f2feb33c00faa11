import { expect, test } from "vitest";
import { proposedPassphrase } from "./passphrase.ts";

test("four words of two syllables", () => {
  expect(proposedPassphrase()).toMatch(/^(?:[a-z]{4}-){3}[a-z]{4}$/u);
  expect(proposedPassphrase(() => 0)).toBe("baba-baba-baba-baba");
  expect(proposedPassphrase((most) => most - 1)).toBe("zuzu-zuzu-zuzu-zuzu");
});

test("no two are the same", () => {
  expect(new Set(Array.from({ length: 200 }, () => proposedPassphrase())).size).toBe(200);
});
