/** Passphrases of links: kept as scrypt hashes, shown once, and then proven by a cookie that requires the hash. */
import { createHmac, randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import type { ScryptOptions } from "node:crypto";
import type { KeptPassphrase } from "../store/catalog.ts";

const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** 32 MiB and some 60 ms for each try (RFC 7914; OWASP asks for at least 2^17 * 8 with short passwords, these are long). */
const COST: ScryptOptions = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

/** @param passphrase as the contract's `Passphrase` writes it */
export async function keptPassphrase(passphrase: string): Promise<KeptPassphrase> {
  const salt = randomBytes(SALT_BYTES).toString("base64url");
  return { salt, hash: await hashed(passphrase, salt) };
}

export async function isPassphrase(passphrase: string, { salt, hash }: KeptPassphrase): Promise<boolean> {
  return areEqual(await hashed(passphrase, salt), hash);
}

/**
 * Value of the cookie after the right passphrase: an end time, and a code that depends on the hash. The server stores
 * nothing for it, and a new passphrase makes it invalid.
 * @param ends ms since 1970
 */
export function unlockProof(linkId: string, kept: KeptPassphrase, ends: number): string {
  return `${ends}.${codeOf(linkId, kept, ends)}`;
}

/** @param now ms since 1970 */
export function isUnlocked(proof: string | null, linkId: string, kept: KeptPassphrase, now: number): boolean {
  const [, endsText = "", code = ""] = /^(\d{1,16})\.([\w-]+)$/u.exec(proof ?? "") ?? [];
  const ends = Number(endsText);
  return ends > now && areEqual(code, codeOf(linkId, kept, ends));
}

function codeOf(linkId: string, { hash }: KeptPassphrase, ends: number): string {
  return createHmac("sha256", hash).update(`${linkId} ${ends}`).digest("base64url");
}

function areEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function hashed(passphrase: string, salt: string): Promise<string> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase, salt, HASH_BYTES, COST, (error, hash) => {
      if (error === null) resolve(hash.toString("base64url"));
      else reject(error);
    });
  });
}
