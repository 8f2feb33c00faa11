/** Names of the replicas of a capture in sentences, in filters and next to clocks. */
import type { ClockSummary, Summary } from "@aglens/contract";
import type { FilterNames } from "../../filter/filter-names.ts";
import type { ReplicaNames } from "../../lanes/palette.ts";
import { captureViewTexts as texts } from "../../messages/capture-view.ts";
import { durationText } from "../../ui/words.ts";
import { useCapture } from "./capture-context.ts";
import { namesOfSlots, phaseIndex, primaryMoved } from "./phases.ts";

/** Names of the primary and of one secondary, one after the other where roles changed, for sentences about the path between them. */
export function replicaNames(
  summary: Pick<Summary, "replicas" | "phases">,
  secondary: number,
  phase: number | null = null,
): ReplicaNames {
  const names = namesOfSlots(summary, phase);
  return { primary: names[0] ?? "Primary", secondary: names[secondary + 1] ?? "Secondary" };
}

/** Roles in place of names, for short labels where several servers had these roles one after the other. */
export function roleNames(
  summary: Pick<Summary, "replicas" | "phases">,
  secondary: number,
  phase: number | null = null,
): ReplicaNames {
  return primaryMoved(summary, phase)
    ? { primary: "Primary", secondary: "Secondary" }
    : replicaNames(summary, secondary, phase);
}

/** Names of the open capture's replicas, for the secondary that the view is about. */
export function useReplicaNames(): ReplicaNames {
  const { summary, view } = useCapture();
  return replicaNames(summary, view.secondary, phaseIndex(summary, view.phase));
}

/** The same names, or roles where the primary moved. */
export function useRoleNames(): ReplicaNames {
  const { summary, view } = useCapture();
  return roleNames(summary, view.secondary, phaseIndex(summary, view.phase));
}

/**
 * The names that conditions on blocks of a capture may contain; roles where several servers had them one after the
 * other.
 */
export function filterNamesOf(
  summary: Pick<Summary, "replicas" | "phases" | "databases" | "clients">,
  shownPhase: number | null = null,
): FilterNames {
  const phase = phaseIndex(summary, shownPhase);
  const [primary = "Primary", ...secondaries] = namesOfSlots(summary, phase);
  const databases = summary.databases.map(({ name }) => name);
  const applications = summary.clients?.names ?? [];
  if (!primaryMoved(summary, phase)) return { primary, secondaries, databases, applications };
  const one = secondaries.length === 1;
  return {
    primary: "primary",
    secondaries: secondaries.map((_, slot) => (one ? texts.secondary : texts.secondaryPart(slot + 1))),
    databases,
    applications,
  };
}

type Clock = Pick<ClockSummary, "utcAheadOfPrimaryUs" | "reason">;

/**
 * Offset of a replica's UTC from the primary's: `32.5 ms ahead`, `206 ms behind`; null where it is not known. Where the
 * clock is not one straight line, because it stepped or was unresponsive, the offset is a mean, which may be true at no
 * time.
 * @param reason why the clock has several windows; empty where it has one
 */
export function aheadText({ utcAheadOfPrimaryUs: ahead, reason }: Clock, than = ""): string | null {
  if (ahead === null) return null;
  const side = ahead < 0 ? texts.behind : than === "" ? texts.ahead : texts.aheadOf;
  return [durationText(Math.abs(ahead)), side, than, reason === "" ? "" : texts.onAverage]
    .filter((words) => words !== "")
    .join(" ");
}
