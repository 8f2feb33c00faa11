import { useMemo, useSyncExternalStore } from "react";
import type { Summary } from "@aglens/contract";
import { visibleLanes, type Lane } from "../../../lanes/lanes.ts";
import { withPinned } from "../../../lanes/pinned-lanes.ts";
import { clockPreview } from "../../../state/clock-preview.ts";
import type { View } from "../../../state/view.ts";
import { type LaneDatabase, splitByDatabase } from "../../../lanes/split-lanes.ts";
import { isAlone } from "../../capture-view/capture-context.ts";
import { databaseName, databasesInRows } from "../../capture-view/databases.ts";
import { phaseIndex, primaryMoved } from "../../capture-view/phases.ts";
import { foldedGroups } from "./open-groups.ts";
import { summaryLanes } from "../../capture-view/capture-lanes.ts";

export interface TimelineLanes {
  readonly all: readonly Lane[];
  /** Lanes without those of folded replicas; pinned ones first. */
  readonly shown: readonly Lane[];
  /** Added to each secondary's instants, µs. */
  readonly shift: readonly number[];
  /** Maximum error of each secondary's drawn instants, µs; NaN where that is not drawn. */
  readonly uncertainty: readonly number[];
  /** Secondaries that the user moved for a preview, and the shift of each, µs. */
  readonly preview: ReadonlyMap<number, number>;
}

/** The lanes of a capture, with the shift of its secondaries' clocks. */
export function useLanes(
  summary: Summary,
  { clock, open, pinned, phase: asked, database }: View,
): TimelineLanes {
  const preview = useSyncExternalStore(clockPreview.subscribe, clockPreview.get);
  const phase = phaseIndex(summary, asked);
  const isRaw = clock === "raw";
  const all = useMemo(
    () =>
      isAlone(summary)
        ? []
        : splitByDatabase(summaryLanes(summary, isRaw, phase), splitDatabases(summary, database)),
    [summary, isRaw, phase, database],
  );
  const shown = useMemo(
    () => withPinned(visibleLanes(all, foldedGroups(summary, open)), all, pinned),
    [all, summary, open, pinned],
  );
  const shift = useMemo(
    () =>
      perSecondary(summary, (s, fit) => (isRaw ? (fit?.utcAheadOfPrimaryUs ?? 0) : (preview.get(s) ?? 0))),
    [summary, isRaw, preview],
  );
  const uncertainty = useMemo(
    () =>
      perSecondary(summary, (s, fit) =>
        isRaw || preview.has(s) ? Number.NaN : (fit?.strictUncertaintyUs ?? Number.NaN),
      ),
    [summary, isRaw, preview],
  );
  return useMemo(
    () => ({ all, shown, shift, uncertainty, preview }),
    [all, shown, shift, uncertainty, preview],
  );
}

/** Maximum number of databases with lanes of their own. */
const MOST_SPLIT = 3;

/** Databases with lanes of their own; empty where roles changed, because figures are already split there. */
export const splitDatabases = (summary: Summary, key: string | null): readonly LaneDatabase[] =>
  primaryMoved(summary)
    ? []
    : databasesInRows(summary, key, MOST_SPLIT).map((index) => ({
        index,
        name: databaseName(summary, index) ?? "",
      }));

type ClockSummary = Summary["clocks"][number];

function perSecondary(
  { replicas, clocks }: Summary,
  figure: (secondary: number, fit: ClockSummary | undefined) => number,
): number[] {
  return replicas.slice(1).map((_, s) =>
    figure(
      s,
      clocks.find((clock) => clock.secondary === s),
    ),
  );
}
