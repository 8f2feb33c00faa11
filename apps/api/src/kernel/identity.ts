import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

const ID_BYTES = 16;

/** Unguessable id: 128 random bits, base64url, 22 characters. */
export function newId(): string {
  return randomBytes(ID_BYTES).toString("base64url");
}

/** SHA-256 of a secret, hex, for keeping. */
export function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** Whether `secret` has that hash, in a time that does not depend on where they differ. */
export function matchesHash(secret: string, hash: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(secret)), Buffer.from(hash));
}
