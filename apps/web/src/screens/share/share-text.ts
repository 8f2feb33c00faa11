/** Texts of the share dialog: the link's title, what it restores, and its expiry. */
import { stageName } from "@aglens/ag-model/replication";
import type { Episode, Link, Summary } from "@aglens/contract";
import { shareTexts as texts } from "../../messages/share.ts";
import { DEFAULT_VIEW, type View } from "../../state/view.ts";
import { formatCount, formatRange, zoneName } from "../../ui/words.ts";
import { type CaptureTab, TAB_LABELS } from "../capture-view/capture-context.ts";
import { databaseIndex } from "../capture-view/databases.ts";
import { rangeName, shownRange } from "../capture-view/shown-range.ts";
import { modePhaseName, namesOfSlots, phaseAt, phaseIndex, phaseName } from "../capture-view/phases.ts";
import { replicaNames } from "../capture-view/names.ts";
import { distributionStageName } from "../capture-view/stage-means.ts";
import type { ZonedSummary } from "../capture-view/zones.ts";
import { shownFilter } from "../capture-view/table-file.ts";

const MOST_TITLE = 200;

const rangeText = (summary: Summary, range: readonly [number, number]): string =>
  formatRange(summary, ...range);

/** `02:17:28 to 02:18:04 UTC`, or that it is the time that all files cover, or all of the capture. */
export function shownRangeText(summary: Summary, view: View): string {
  const shown = shownRange(view, summary);
  return rangeName(shown, summary)?.toLowerCase() ?? rangeText(summary, shown);
}

/** `Slow network to SQL2, 02:17:28 to 02:18:04 UTC`: the range in view, else the episode, else the capture's name. */
export function titleFor(summary: Summary, view: View): string {
  const [episode] = summary.verdict.episodes;
  const range = view.range ?? (episode === undefined ? null : ([episode.from, episode.to] as const));
  const words = episode === undefined ? summary.name : episodeText(summary, episode);
  return (range === null ? words : `${words}, ${rangeText(summary, range)}`).slice(0, MOST_TITLE);
}

/** Stages whose label has no replica when there is only one secondary. */
const TOWARDS = ["networkRoundTrip", "remoteHarden"];

function episodeText(summary: Summary, { label, stage, secondary, from }: Episode): string {
  const phases = summary.databases.map((_, database) => phaseAt(summary, database, from));
  const names = new Set(phases.map((phase) => namesOfSlots(summary, phase)[secondary + 1]));
  // Where groups run side by side, the slot may be several servers.
  const name = names.size === 1 ? [...names][0] : undefined;
  return name === undefined || !TOWARDS.includes(stage) || label.endsWith(` to ${name}`)
    ? label
    : `${label} to ${name}`;
}

/** The link also shows notes that are written later, and no longer shows deleted ones. */
export const notesText = (notes: number): string => texts.itShowsTheNotes(formatCount(notes));

/** `The link restores: Timeline, whole capture, block 00000022:00000167 selected.` `lsn` is null until it is known. */
export function restoresText(summary: ZonedSummary, tab: CaptureTab, view: View, lsn: string | null): string {
  const parts = [
    TAB_LABELS[tab],
    shownRangeText(summary, view),
    ...partText(summary, view),
    ...selectedText(summary, view, lsn),
    ...listText(summary, view),
    ...laneText(view),
    ...screenText(summary, tab, view),
    view.clock === "raw" ? texts.rawClocks : null,
    timesText(summary),
    view.theme === "system" ? null : texts.theme(view.theme),
  ];
  return texts.linkRestores(parts.filter((part) => part !== null).join(", "));
}

function timesText(summary: ZonedSummary): string | null {
  switch (summary.zone?.kind) {
    case undefined:
    case "utc":
      return null;
    case "offset":
      return texts.timesFromTheStart;
    case "browser":
      return texts.timesInTheReaders;
    default:
      return texts.timesIn(zoneName(summary));
  }
}

type Words = readonly (string | null)[];

/** The part of the capture that the view narrows to. */
function partText(summary: Summary, view: View): Words {
  const phase = phaseIndex(summary, view.phase);
  const filter = shownFilter({ summary, view });
  return [
    databaseIndex(summary, view.database) === null ? null : texts.alone(view.database),
    phase === null
      ? null
      : texts.alonePart(modePhaseName(summary, phase) ?? phaseName(summary, phase).toLowerCase()),
    filter === null ? null : texts.filter(filter, view.others === "hide"),
  ];
}

function selectedText(summary: Summary, view: View, lsn: string | null): Words {
  const { block, kept, selected, rulers, event } = view;
  return [
    block === null ? null : texts.blockSelected(lsn ?? formatCount(block + 1)),
    kept.length === 0 ? null : texts.nextToIt(kept.length),
    event === null ? null : texts.itsEventOpen,
    selected === null ? null : texts.selected(rangeText(summary, selected)),
    rulers.length === 0 ? null : texts.ruler(rulers.length),
  ];
}

/** Content and order of lists, where they differ from the usual ones. */
function listText(summary: Summary, view: View): Words {
  const { sort, descending, list, rows, eventText, eventNames, eventReplicas, metric } = view;
  const by = sort === "commit" ? "commit" : stageName(sort, replicaNames(summary, view.secondary));
  const hasOrder = sort !== DEFAULT_VIEW.sort || !descending;
  return [
    metric === "harden" ? texts.remoteHardenInPlace : null,
    hasOrder ? texts.blocksOrderedByFirst(by, descending) : null,
    list === null ? null : texts.slowest(list),
    rows === "events" ? null : texts.rowsAreTheSlowest(rows),
    eventText === "" ? null : texts.eventsThatHold(eventText),
    eventNames.length + eventReplicas.length === 0 ? null : texts.eventsOfChosenNames,
  ];
}

/** Settings of a single screen. */
function screenText(summary: Summary, tab: CaptureTab, view: View): Words {
  switch (tab) {
    case "distribution":
      return [
        view.stage === "commit"
          ? null
          : distributionStageName(view.stage, replicaNames(summary, view.secondary)),
        view.other === null ? null : texts.against(rangeText(summary, view.other)),
      ];
    case "compare":
      return [view.sideA === null && view.sideB === null && view.versus === null ? null : texts.bothSides];
    case "what-if":
      return [view.change === null ? null : texts.change(view.change)];
    case "how-read": {
      const expectation = summary.check?.expectations.find(({ id }) => id === view.expectation);
      return [expectation === undefined ? null : `"${expectation.title}" selected`];
    }
    case "sql":
      return [
        view.sql === null ? null : texts.queryWhichIsRun,
        view.sqlRow === null ? null : texts.rowSelected(formatCount(view.sqlRow + 1)),
      ];
    default:
      return [];
  }
}

function laneText({ lanes, open, pinned, isolated, gates }: View): Words {
  const isChosen = Object.keys(lanes).length > 0 || open !== null;
  return [
    isChosen ? texts.lanesAsThey : null,
    pinned.length === 0 ? null : texts.pinned(pinned.length),
    isolated.length === 0 ? null : texts.isolated(isolated.length),
    gates ? texts.commitsColoredByWhat : null,
  ];
}

/** `21 February 2027`, the day where the browser is. */
export function dayText(iso: string): string {
  return new Date(iso).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
}

/** Why a link no longer opens; null while it does. */
export function endedText(
  { takenBack, expires }: Pick<Link, "takenBack" | "expires">,
  now: Date,
): string | null {
  if (takenBack !== null) return texts.revoked(dayText(takenBack));
  return expires !== null && expires <= now.toISOString() ? texts.expired(dayText(expires)) : null;
}

/** `14 opens, last 20 November 2026, 2 tries after the end` */
export function opensText({ count, last, after }: Link["opens"]): string {
  const opens = texts.open(count);
  const when = last === null ? "" : texts.last(dayText(last));
  const tries = after === 0 ? "" : texts.afterTheEnd(after);
  return `${opens}${when}${tries}`;
}

/** `Replaced: SQL1 reads Replica 1, SQL2 Replica 2` */
export function replacedText({ replicas }: Summary): string {
  const [first, ...others] = replicas.map(({ name }, index) => [name, texts.replica(index + 1)]);
  if (first === undefined) return "Replaced";
  return `Replaced: ${first.join(" reads ")}${others.map((pair) => `, ${pair.join(" ")}`).join("")}`;
}

/** When a link made now expires; null for one that does not. */
export function expiryText(days: number | null): string {
  if (days === null) return texts.keptUntilYouTake;
  return texts.youCanTake(dayText(new Date(Date.now() + days * 86_400_000).toISOString()));
}
