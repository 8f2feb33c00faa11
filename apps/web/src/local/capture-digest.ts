/** Identity of a capture in every browser: the content of its files. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { CaptureFile } from "@aglens/contract";
import { evidenceIn, isAnalyzedEvents } from "@aglens/engine/files";

/** Half a SHA-256, which no two captures have in common by chance. */
const DIGEST_BYTES = 16;

/** The files that an analysis reads, in an order that depends on their content alone. It reads evidence where there are no events. */
export function filesOfDigest(files: readonly CaptureFile[]): CaptureFile[] {
  const events = files.filter(isAnalyzedEvents);
  return [
    ...files.filter(({ kind }) => kind === "topology"),
    ...(events.length > 0 ? events : evidenceIn(files)),
  ].toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1));
}

/** 32 hexadecimal digits. @param namesReplaced a capture without its names is kept in addition to the one with them */
export function captureDigest(files: readonly CaptureFile[], namesReplaced = false): string {
  const contents = filesOfDigest(files).map((file) => file.sha256);
  const text = [...contents, ...(namesReplaced ? ["names replaced"] : [])].join("\n");
  return bytesToHex(sha256(utf8ToBytes(text)).subarray(0, DIGEST_BYTES));
}
