import { expect, test } from "vitest";
import { seal, unseal } from "./sealed.ts";

const SECRET = "a-secret-of-a-session-cookie-of-256-random-bits";

test("a sealed text is opened by its secret, and by no other", () => {
  const sealed = seal(SECRET, "refresh token é");
  expect(sealed).not.toContain("refresh");
  expect(unseal(SECRET, sealed)).toBe("refresh token é");
  expect(unseal(`${SECRET}x`, sealed)).toBeNull();
  expect(seal(SECRET, "refresh token é")).not.toBe(sealed);
});

test("a text that was changed or cut off is not opened", () => {
  const bytes = Buffer.from(seal(SECRET, "text"), "base64url");
  for (const at of [0, 12, 28, bytes.length - 1]) {
    const other = Buffer.from(bytes);
    other[at] = (other[at] ?? 0) ^ 1;
    expect(unseal(SECRET, other.toString("base64url"))).toBeNull();
  }
  expect(unseal(SECRET, bytes.subarray(0, 20).toString("base64url"))).toBeNull();
  expect(unseal(SECRET, "")).toBeNull();
});
