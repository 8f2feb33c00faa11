/** The words of the library's search: plain ones are looked for in names and sentences, others compare a figure or a facet. */

/** Values of a capture that a search compares. */
export interface SearchedCapture {
  /** Name, verdict, group, servers, databases, owner and tags, in lower case. */
  readonly words: string;
  readonly group: string;
  readonly owner: string;
  readonly tags: readonly string[];
  /** Place where commits wait, by the facet's name. */
  readonly wait: string;
  readonly p95Us: number | null;
  readonly bytes: number;
  /** Expiry, ms since 1970; null for a capture that never expires. */
  readonly expiresMs: number | null;
}

type Test = (capture: SearchedCapture) => boolean;

const UNITS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  p95: { us: 1, µs: 1, ms: 1e3, s: 1e6 },
  size: { b: 1, kb: 1e3, mb: 1e6, gb: 1e9 },
  expires: { h: 3_600_000, d: 86_400_000 },
};

/**
 * Whether a capture has all words of a search: `checkout p95>50ms group:SALES-AG wait:network owner:ann tag:nightly size>1gb expires<7d`.
 * Quotes keep spaces: `group:"SALES AG"`. Words that compare nothing known are looked for as they are.
 * @param now ms since 1970
 */
export function searchTest(search: string, now: number): Test {
  const tests = (search.match(/(?:[^\s"]|"[^"]*"?)+/gu) ?? []).map((word) =>
    wordTest(word.replaceAll('"', "").toLowerCase(), now),
  );
  return (capture) => tests.every((test) => test(capture));
}

function wordTest(word: string, now: number): Test {
  return comparison(word, now) ?? named(word) ?? (({ words }) => words.includes(word));
}

function named(word: string): Test | null {
  const [, name, value = ""] = /^(group|owner|tag|wait):(.+)$/u.exec(word) ?? [];
  if (name === "group") return ({ group }) => group.toLowerCase().includes(value);
  if (name === "owner") return ({ owner }) => owner.toLowerCase().includes(value);
  if (name === "tag") return ({ tags }) => tags.some((tag) => tag.includes(value));
  if (name === "wait") return ({ wait }) => wait.toLowerCase().startsWith(value);
  return null;
}

/** `p95>50ms`, `size<=1.5gb`, `expires<7d`; null for any other word. */
function comparison(word: string, now: number): Test | null {
  const [, name = "", sign = "", digits = "", unit = ""] =
    /^(p95|size|expires)(<=|>=|<|>)(\d+(?:\.\d+)?)([a-zµ]+)$/u.exec(word) ?? [];
  const scale = UNITS[name]?.[unit];
  if (scale === undefined) return null;
  const limit = Number(digits) * scale;
  return (capture) => {
    const value = figure(capture, name, now);
    if (value === null) return false;
    if (sign === "<") return value < limit;
    if (sign === "<=") return value <= limit;
    return sign === ">" ? value > limit : value >= limit;
  };
}

function figure({ p95Us, bytes, expiresMs }: SearchedCapture, name: string, now: number): number | null {
  if (name === "p95") return p95Us;
  if (name === "size") return bytes;
  return expiresMs === null ? null : expiresMs - now;
}
