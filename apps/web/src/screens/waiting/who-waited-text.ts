/** Names, sentences and colors of commits by their clients. */
import {
  type ClientGroup,
  type Summary,
  WaitPlace,
  type WhoWaited,
  type WhoWaitedRow,
} from "@aglens/contract";
import { whoWaitedTexts as texts } from "../../messages/waiting.ts";
import type { View } from "../../state/view.ts";
import { durationText, formatPercent } from "../../ui/words.ts";

/** Tokens of the places, in the order of bars and legend; a pattern has no token. */
export const PLACE_TOKENS: Readonly<Record<WaitPlace, string>> = {
  commitQueue: "--wait",
  localFlush: "--p-disk",
  network: "--n-out",
  secondaryFlush: "--s-disk",
  handling: "--p-work",
  unresponsive: "--ink-3",
  unknown: "--wait-soft",
};

/** Rows of the screen: of the view, otherwise those that suit the capture. */
export function waitingRowsOf({ waitingBy }: View, { clients }: Summary): ClientGroup | "queues" {
  if (waitingBy !== null) return waitingBy;
  if (clients?.applications === "recorded") return "application";
  return clients?.sessions === "recorded" ? "session" : "queues";
}

/** The name of a row. */
export function clientName(
  { value, application, statement, replica }: WhoWaitedRow,
  by: ClientGroup,
  { phases, replicas }: Pick<Summary, "phases" | "replicas">,
): string {
  if (by === "session") {
    if (value === 0) return texts.noSession;
    const hasSeveral = new Set(phases.map(({ primary }) => primary)).size > 1;
    const server = replicas[replica ?? -1]?.name;
    return hasSeveral && server !== undefined ? texts.sessionOn(value, server) : texts.session(value);
  }
  if (by === "application")
    return value === 0 ? texts.noApplication : (application ?? texts.application(value));
  return value === 0 ? texts.noStatement : (statement ?? texts.statement(value));
}

/** The places that any commit has a part in. */
export const placesOf = ({ all }: WhoWaited): WaitPlace[] =>
  WaitPlace.options.filter((place) => all.places[place] > 0);

/** More than half is most of it. */
const MOST = 0.5;

/** The answer: the row with the longest wait, and the place where most of it passed. */
export function whoSentences(
  { rows, all, by }: WhoWaited,
  summary: Summary,
  rangeUs: number,
): readonly string[] {
  const [row] = rows;
  if (row === undefined || all.waitedUs <= 0) return [texts.noCommit];
  const share = formatPercent(row.waitedUs / all.waitedUs);
  const [wait, sum] = [durationText(row.waitedUs), durationText(all.waitedUs)];
  const name = by === "statement" ? texts.oneStatement : clientName(row, by, summary);
  return [texts.takes(name, share, wait, sum, durationText(rangeUs)), placeSentence(row)];
}

function placeSentence({ places, waitedUs }: WhoWaitedRow): string {
  const [largest = "unknown"] = WaitPlace.options.toSorted((a, b) => places[b] - places[a]);
  const share = places[largest] / waitedUs;
  if (largest === "unknown") return texts.partNotKnown;
  const words = texts.placeWords[largest];
  return share > MOST ? texts.mostOfIt(words) : texts.largestPart(words, formatPercent(share));
}

/** The row with the highest p95, where another one waited longer in sum. */
export function highestP95({ rows }: WhoWaited): WhoWaitedRow | null {
  const [highest] = rows
    .filter(({ p95Us }) => p95Us !== null)
    .toSorted((a, b) => (b.p95Us ?? 0) - (a.p95Us ?? 0));
  return highest === undefined || highest === rows[0] ? null : highest;
}

/**
 * Lost events of primary replicas: exact where event_sequence counts them, otherwise those of commits as far as other
 * events show them. Empty without any.
 */
export function lostSentence({
  lost,
  missing,
  replicas,
}: Pick<Summary, "lost" | "missing" | "replicas">): string {
  const ofPrimary = lost.filter(({ secondary }) => secondary < 0);
  // Counted events have no anchor: each of them may be the one that names a commit.
  const counted = Map.groupBy(
    ofPrimary.filter(({ anchor }) => anchor === null),
    ({ replica }) => replica,
  );
  const commits = eventsOf(
    ofPrimary.filter(({ anchor }) => anchor === "commitStart" || anchor === "commitEnd"),
  );
  return [
    ...Array.from(counted, ([replica, own]) =>
      texts.lostExactly(
        replicas[replica]?.name ?? texts.thePrimary,
        eventsOf(own),
        missing.some((period) => period.replica === replica),
      ),
    ),
    ...(commits === 0 ? [] : [texts.lostAtLeast(commits)]),
  ].join(" ");
}

const eventsOf = (lost: Summary["lost"]): number => lost.reduce((sum, { events }) => sum + events, 0);
