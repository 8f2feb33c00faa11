/** Names of folders of a partitioned data set, `key=value`, as Hive has them and engines read them. */
import { createHash } from "node:crypto";

/** File names have 255 bytes at most; the key and the end of a cut value need some of them. */
const MOST_VALUE_BYTES = 200;
const DIGEST_CHARACTERS = 12;

/**
 * `key=value`, in which ASCII letters, digits, `-` and `_` are unchanged; other ASCII characters, and invisible ones,
 * are percent-encoded, so that nothing in a value is a path, a pattern or a partition of its own. Other letters stay:
 * Spark reads each `%XX` as a letter, DuckDB as a byte of UTF-8. A value that is too long for a folder is cut, and ends
 * with `~` and the beginning of its SHA-256.
 */
export function partition(key: string, value: string): string {
  const encoded = percentEncoded(value);
  if (Buffer.byteLength(encoded) <= MOST_VALUE_BYTES) return `${key}=${encoded}`;
  const letters = Array.from(value);
  while (Buffer.byteLength(percentEncoded(letters.join(""))) > MOST_VALUE_BYTES) letters.pop();
  const digest = createHash("sha256").update(value).digest("hex").slice(0, DIGEST_CHARACTERS);
  return `${key}=${percentEncoded(`${letters.join("")}~${digest}`)}`;
}

/** `encodeURIComponent` leaves `!~*'()` and the dot. */
const percentEncoded = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\w\P{ASCII}-]|\p{C}/gu, (character) =>
      encodeURIComponent(character).replace(
        /^[^%]$/u,
        (left) => `%${left.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    );
