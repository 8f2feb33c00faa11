/** Names of folders of a partitioned data set, `key=value`, as Hive has them and engines read them. */
import { createHash } from "node:crypto";

/** File names have 255 bytes at most; the key and what a cut value ends with need some. */
const MOST_VALUE = 200;
const DIGEST_CHARACTERS = 12;

/**
 * `key=value` with all but letters, digits, `-` and `_` percent-encoded: nothing in a value is a path, a pattern or a partition of its own.
 * A value that is too long for a folder is cut, and ends with `~` and the beginning of its SHA-256.
 */
export function partition(key: string, value: string): string {
  const encoded = percentEncoded(value);
  if (encoded.length <= MOST_VALUE) return `${key}=${encoded}`;
  const letters = Array.from(value);
  while (percentEncoded(letters.join("")).length > MOST_VALUE) letters.pop();
  const digest = createHash("sha256").update(value).digest("hex").slice(0, DIGEST_CHARACTERS);
  return `${key}=${percentEncoded(`${letters.join("")}~${digest}`)}`;
}

const percentEncoded = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replaceAll(
    /[^\w%-]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
