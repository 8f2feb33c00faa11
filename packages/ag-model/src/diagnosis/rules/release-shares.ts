/**
 * Replicas that release the commits, where several can: the first question of a reader about a group with two or more
 * secondaries.
 */
import { stageStatistics } from "../../columns/index.ts";
import type { CaptureModel } from "../../replication/shapes/tables.ts";
import { formatPart } from "../../words/words.ts";
import { replicaName } from "../paths.ts";
import { releasesOf } from "../releases.ts";

/** A replica that releases a smaller share is not in the sentence. */
const LEAST_SHARE = 0.1;
/** Shares that differ by less are named with one verb. */
const NEAR_SHARES = 0.1;
/** Paths whose medians differ by less have the same speed. */
const NEAR_SPEEDS = 0.1;

interface Releasing {
  readonly name: string;
  readonly share: number;
  /** p50 of the path to it, µs; NaN for the local log write. */
  readonly path: number;
}

/**
 * `SQL2 and SQL3 release the commits, 49 % and 48 %, at the same speed.`; null with one secondary, or without a known
 * release.
 */
export function releaseShares(model: CaptureModel): string | null {
  if (model.hops.length < 2) return null;
  const { gates, known } = releasesOf(model);
  if (known === 0) return null;
  const all = gates.map((n, gate): Releasing => ({
    name: gate === 0 ? "the local log write" : replicaName(model, gate),
    share: n / known,
    path: gate === 0 ? Number.NaN : stageStatistics(model, gate - 1, "remoteHarden").p50,
  }));
  const [first, ...others] = all
    .filter(({ share }) => share >= LEAST_SHARE)
    .toSorted((a, b) => b.share - a.share);
  const last = others.at(-1);
  if (last === undefined) return capital(`${first.name} releases ${formatPart(first.share)} of the commits.`);
  if (first.share - last.share >= NEAR_SHARES) {
    const rest = others.map(({ name, share }) => `${name} ${formatPart(share)}`).join(", ");
    return capital(`${first.name} releases ${formatPart(first.share)} of the commits, ${rest}.`);
  }
  const together = [first, ...others];
  const names = listed(together.map(({ name }) => name));
  const shares = listed(together.map(({ share }) => formatPart(share)));
  return capital(
    `${names} release the commits, ${shares}${isSameSpeed(together) ? ", at the same speed" : ""}.`,
  );
}

/** False if one of them is the local log write, whose path is a different one. */
function isSameSpeed(releasing: readonly Releasing[]): boolean {
  const paths = releasing.map(({ path }) => path);
  return Math.max(...paths) < (1 + NEAR_SPEEDS) * Math.min(...paths);
}

const listed = (words: readonly string[]): string => `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

/** A server's name is not capitalized. */
const capital = (sentence: string): string => sentence.replace(/^the /u, "The ");
