/** Warnings about missing or doubtful data in a capture, in sentences (docs/contribute/model/diagnosis.md 6.4). */
import { EventName, FAR_TIME } from "../../events/index.ts";
import type { Joined } from "../join/join.ts";
import { anyOf } from "../join/lacking-events.ts";
import { Gate, hasCoarseTimes, type CaptureModel } from "../shapes/tables.ts";

const NO_COUNTER =
  "The events of this version carry no start_timestamp: durations are as coarse as the timestamps.";

const NO_ACKNOWLEDGEMENT = `No event shows an acknowledgment arriving at the primary: its session, or its version, has no ${EventName.receiveHarden}.`;

const NO_GATE = "AG Lens can't determine what released the commits.";

/** The warnings of a model. */
export function warningsOf(
  model: Omit<CaptureModel, "warnings">,
  { servers, commits, replicaOf, lacking }: Pick<Joined, "servers" | "commits" | "replicaOf" | "lacking">,
): string[] {
  const warnings: string[] = [];
  const number = (n: number): string => n.toLocaleString("en-US");
  const blocksAre = (n: number): string => (n === 1 ? "1 log block is" : `${number(n)} log blocks are`);
  const isCaptured = (phase: CaptureModel["phases"][number]): boolean =>
    model.replicas[phase.primary].hasCapture;
  const hasPrimary = model.phases.some(isCaptured);
  if (!hasPrimary)
    warnings.push(
      "The capture contains no file of the primary, so commits, sends and network times are unknown.",
    );
  for (const replica of model.replicas.slice(1)) {
    if (!replica.hasCapture) {
      warnings.push(`${replica.name} has no capture, so its log write and network time can't be separated.`);
    }
  }
  for (const [s, events] of lacking.entries())
    if (events.length > 0) warnings.push(lackingSentence(model.replicas[replicaOf[s]].name, events));
  for (const clock of model.clocks) {
    const name = model.replicas[clock.secondary + 1].name;
    if (clock.reason !== "") warnings.push(`${name}: ${clock.reason}`);
    const utc = utcDifference(clock.utcAheadOfPrimaryUs);
    const other = model.replicas[clock.against];
    // A clock that was set in between has this difference for most of the time only; a finding reports the change.
    const isSet = [model.replicas[clock.secondary + 1], other].some(
      ({ utcChanges }) => utcChanges !== undefined,
    );
    if (utc !== null)
      warnings.push(`${name}'s UTC clock is ${isSet ? "mostly " : ""}${utc} ${other.name}'s.`);
    if (clock.causalityViolationsAfter > 0) {
      warnings.push(
        `${name}: ${number(clock.causalityViolationsAfter)} ${clock.causalityViolationsAfter === 1 ? "block contradicts" : "blocks contradict"} the clock model.`,
      );
    }
  }
  if (hasCoarseTimes(model)) warnings.push(NO_COUNTER);
  const { primaryOnly, secondaryOnly, withoutAcknowledgement } = model.counts.common;
  if (primaryOnly > 0)
    warnings.push(
      `${blocksAre(primaryOnly)} in the primary's files only, in time that a secondary's files cover.`,
    );
  if (secondaryOnly > 0)
    warnings.push(
      `${blocksAre(secondaryOnly)} in secondaries' files only, in time that the primary's files cover.`,
    );
  const anyAcknowledgment = model.hops.some(({ ackProcessed }) =>
    ackProcessed.some((us) => !Number.isNaN(us)),
  );
  if (model.counts.withoutAcknowledgement > 0 && !anyAcknowledgment) {
    const { length, gate } = model.commits;
    const isNoneKnown = length > 0 && gate.every((each) => each === Gate.unknown);
    warnings.push(isNoneKnown ? `${NO_ACKNOWLEDGEMENT} ${NO_GATE}` : NO_ACKNOWLEDGEMENT);
  } else if (withoutAcknowledgement > 0) {
    warnings.push(`Log blocks without an acknowledgment in the capture: ${number(withoutAcknowledgement)}.`);
  }
  const unpaired = withoutPartner(model.commits, commits);
  if (unpaired !== null) warnings.push(unpaired);
  const [farTimes, otherGaps] = [true, false].map((isFar) =>
    model.files.flatMap((file) => file.gaps.filter(({ code }) => (code === FAR_TIME) === isFar)),
  );
  const gaps = otherGaps.length;
  if (gaps > 0) warnings.push(`Parts of the files that could not be read: ${number(gaps)}.`);
  const far = farTimes.reduce((sum, { eventsLost = 0 }) => sum + eventsLost, 0);
  const strays = servers.reduce((sum, { prepared }) => sum + prepared.strays, far);
  if (strays > 0)
    warnings.push(`Events skipped because damage made their times impossible: ${number(strays)}.`);
  const ids = servers.reduce((sum, { prepared }) => sum + prepared.idsLeftOut, 0);
  if (ids > 0)
    warnings.push(
      `Ids of replicas and databases skipped as damaged, because almost no event contains them: ${number(ids)}.`,
    );
  return warnings;
}

const lackingSentence = (name: string, events: readonly string[]): string =>
  `The session of ${name}, or its version, doesn't have ${anyOf(events)}. Figures that need them are estimated or unknown.`;

/** UTC clocks of servers in one domain are closer than this; a difference does not change any time on one server. */
const UTC_APART_S = 10;

/** `5 h 2 min ahead of`, `30 s behind`; null for clocks that are close, or unknown. */
function utcDifference(aheadUs: number): string | null {
  const seconds = Math.round(Math.abs(aheadUs) / 1_000_000);
  if (!(seconds >= UTC_APART_S)) return null;
  const parts = [
    [Math.floor(seconds / 3_600), "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds % 60, "s"],
  ] as const;
  const [first, ...rest] = parts.slice(parts.findIndex(([value]) => value > 0));
  const text = [first, ...rest.slice(0, 1).filter(([value]) => value > 0)].map(
    ([value, unit]) => `${value} ${unit}`,
  );
  return `${text.join(" ")} ${aheadUs > 0 ? "ahead of" : "behind"}`;
}

/** Fewer commits than this share lack the commit manager's event wherever a file begins and ends. */
const UNPAIRED_SHARE = 0.01;

/**
 * Commits without an event of the commit manager, and the reverse; null where almost none is missing, or the session
 * has no such events.
 */
function withoutPartner(
  { length, timeToCommit }: CaptureModel["commits"],
  perServer: Joined["commits"],
): string | null {
  const commits = timeToCommit.reduce((sum, us) => sum + (Number.isNaN(us) ? 1 : 0), 0);
  const events = perServer.reduce((sum, { managerAlone }) => sum + managerAlone, 0);
  const least = UNPAIRED_SHARE * length;
  // A session without either kind has a sentence of its own.
  if (commits === length || Math.max(commits, events) <= Math.max(least, perServer.length)) return null;
  const number = (n: number): string => n.toLocaleString("en-US");
  return `Commits without ${EventName.commitManagerHarden}: ${number(commits)} of ${number(length)}. Its events without a commit: ${number(events)}.`;
}
