import { useMemo, useSyncExternalStore } from "react";
import type { Summary } from "@aglens/contract";
import { visibleLanes, type Lane } from "../../lanes/lanes.ts";
import { clockPreview } from "../../state/clock-preview.ts";
import type { View } from "../../state/view.ts";
import { phaseIndex } from "../phase.ts";
import { foldedGroups } from "./open-groups.ts";
import { summaryLanes } from "../summary-lanes.ts";

export interface TimelineLanes {
  readonly all: readonly Lane[];
  /** Without those of folded replicas. */
  readonly shown: readonly Lane[];
  /** Added to each secondary's instants, µs. */
  readonly shift: readonly number[];
  /** How far each secondary's instants may be from where they are drawn, µs; NaN where that is not drawn. */
  readonly uncertainty: readonly number[];
  /** Secondaries moved for a look, and by how much, µs. */
  readonly preview: ReadonlyMap<number, number>;
}

/** The lanes of a capture, and where its secondaries' clocks put them. */
export function useLanes(summary: Summary, { clock, open, phase: asked }: View): TimelineLanes {
  const preview = useSyncExternalStore(clockPreview.subscribe, clockPreview.get);
  const phase = phaseIndex(summary, asked);
  const isRaw = clock === "raw";
  const all = useMemo(() => summaryLanes(summary, isRaw, phase), [summary, isRaw, phase]);
  const shown = useMemo(() => visibleLanes(all, foldedGroups(summary, open)), [all, summary, open]);
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
  return { all, shown, shift, uncertainty, preview };
}

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
