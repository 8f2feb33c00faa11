import { expect, test } from "vitest";
import { isUnlocked, keptPassphrase, unlockProof } from "./passphrase.ts";

// The tests of links show that the right passphrase opens a link, and no other does.
test("of a passphrase 16 bytes of salt and 32 of its hash are kept", async () => {
  const kept = await keptPassphrase("HARD-EN-LOG");
  expect(Buffer.from(kept.salt, "base64url")).toHaveLength(16);
  expect(Buffer.from(kept.hash, "base64url")).toHaveLength(32);
});

test("a proof opens its link until its end, and nothing that was changed does", () => {
  const kept = { salt: "c2FsdA", hash: "aGFzaA" };
  const proof = unlockProof("link", kept, 5_000);
  expect(proof).toMatch(/^5000\.[\w-]{43}$/u);
  expect(isUnlocked(proof, "link", kept, 4_999)).toBe(true);
  expect(isUnlocked(proof, "link", kept, 5_000)).toBe(false);
  expect(isUnlocked(proof, "other", kept, 0)).toBe(false);
  expect(isUnlocked(proof, "link", { ...kept, hash: "bmV3" }, 0)).toBe(false);
  expect(isUnlocked(proof.replace("5000", "6000"), "link", kept, 0)).toBe(false);
  expect(isUnlocked(`${proof}.`, "link", kept, 0)).toBe(false);
  expect(isUnlocked(`1${"0".repeat(16)}.${proof.split(".")[1]}`, "link", kept, 0)).toBe(false);
  for (const none of [null, "", "x"]) expect(isUnlocked(none, "link", kept, 0)).toBe(false);
});
