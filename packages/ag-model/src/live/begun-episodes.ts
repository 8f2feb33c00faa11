/**
 * Finds where slow periods began in a run: each one is reported once, however long it lasts and however the window
 * moves.
 */
import type { Judgement } from "../diagnosis/now.ts";
import type { StageId } from "../replication/shapes/stages.ts";
import type { Cause, Episode, Verdict, Window } from "../diagnosis/verdict.ts";

/** Slow periods of one label that are less than this apart are one episode, µs. */
const ONE_EPISODE_US = 2_500_000;
/** Number of judgments in a row that have to find it: the first blocks of a fault may point at another place. */
const FEWEST_FOUND = 2;
/** A slow period shorter than this is a burst: it is in the lanes and in the verdict, and gets no mark, µs. */
const SHORTEST_US = 500_000;
const MOST_KEPT = 200;

/** An episode that began while the run was read. */
export interface BegunEpisode {
  /** Its first slow block, µs of the run. */
  readonly at: number;
  /** "Slow network to SQL2". */
  readonly label: string;
}

/** An episode in its present state. */
interface Found {
  readonly label: string;
  readonly cause: Cause;
  readonly stage: StageId;
  /** Index of its secondary among those of the judged blocks. */
  readonly secondary: number;
  /** Its slow periods so far, µs of the run. */
  readonly from: number;
  readonly to: number;
  /** Number of judgments in a row that found it before it was reported. */
  readonly times: number;
  /** It is not reported any more: it was reported, or it began before the compared range. */
  readonly isKnown: boolean;
  /** Found by the current judgment. */
  readonly isFresh: boolean;
}

export class BegunEpisodes {
  #found: readonly Found[] = [];
  readonly #begun: BegunEpisode[] = [];

  /** In the order in which they were found. */
  get all(): readonly BegunEpisode[] {
    return this.#begun;
  }

  /** Takes a judgment; an episode that began before the compared blocks is known, and not reported. */
  see({ verdict, compared }: Pick<Judgement, "verdict" | "compared">): void {
    if (compared === null) return;
    const before = this.#found.map((found) => lengthened(found, verdict, compared));
    const after = verdict.episodes.reduce((found, episode) => followed(found, episode, compared), before);
    // An episode that was not found again before it was reported is dropped; one that left the window is over.
    const lasting = after.filter(
      ({ isKnown, isFresh, to }) => isFresh || (isKnown && to >= compared.from - ONE_EPISODE_US),
    );
    this.#found = lasting.reduce<readonly Found[]>((done, found) => {
      const isKnown = found.isKnown || done.some((each) => each.isKnown && isWholeOf(each, found));
      return [...done, { ...this.#reported({ ...found, isKnown }), isFresh: false }];
    }, []);
  }

  /** Roles changed: later episodes are about other paths. */
  restart(): void {
    this.#found = [];
  }

  #reported(found: Found): Found {
    if (found.isKnown || found.times < FEWEST_FOUND || found.to - found.from < SHORTEST_US) return found;
    this.#begun.push({ at: found.from, label: found.label });
    if (this.#begun.length > MOST_KEPT) this.#begun.shift();
    return { ...found, isKnown: true };
  }
}

const isSame = (found: Found, { label, from, to }: Episode): boolean =>
  found.label === label && from <= found.to + ONE_EPISODE_US && to >= found.from - ONE_EPISODE_US;

/**
 * While a secondary is not read, slow work on its path has the name of the complete path: no other episode begins then.
 */
const isWholeOf = (found: Found, { stage, secondary, from, to }: Found): boolean =>
  found.secondary === secondary &&
  (found.stage === "remoteHarden") !== (stage === "remoteHarden") &&
  from <= found.to + ONE_EPISODE_US &&
  to >= found.from - ONE_EPISODE_US;

/** Adds one more period of the current judgment to the episodes found so far. */
function followed(all: readonly Found[], episode: Episode, compared: Window): Found[] {
  const { label, cause, stage, secondary, from, to } = episode;
  const isKnown = from <= compared.from;
  const known = all.find((found) => isSame(found, episode));
  if (known === undefined)
    return [...all, { label, cause, stage, secondary, from, to, times: 1, isKnown, isFresh: true }];
  const longer: Found = {
    ...known,
    from: Math.min(known.from, from),
    to: Math.max(known.to, to),
    // Several periods of one judgment count once.
    times: known.times + (known.isFresh ? 0 : 1),
    isKnown: known.isKnown || isKnown,
    isFresh: true,
  };
  return all.map((found) => (found === known ? longer : found));
}

/** An episode that fills the complete compared range has no period of its own there, and continues. */
function lengthened(found: Found, { findings }: Verdict, compared: Window): Found {
  const lasts = findings.some(
    ({ cause, severity, replica, window }) =>
      cause === found.cause &&
      severity !== "none" &&
      Math.max((replica ?? 0) - 1, 0) === found.secondary &&
      window !== null &&
      window.from <= compared.from &&
      window.to >= compared.to,
  );
  return lasts ? { ...found, to: Math.max(found.to, compared.to) } : found;
}
