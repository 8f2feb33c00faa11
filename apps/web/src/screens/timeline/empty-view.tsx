import type { ReactNode } from "react";
import type { Sequence, Summary } from "@aglens/contract";
import { useAnswer } from "../../data/use-answer.ts";
import { Problem } from "../../frame/problem.tsx";
import { timelineTexts as texts } from "../../messages/timeline.ts";
import { Button, Kbd } from "../../ui/controls.tsx";
import { durationText, formatOffset } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { HOLE_WORDS, joint, type Neighbors, neighborsOf } from "../capture-view/found-blocks.ts";
import {
  type TimelineData,
  useTimelineData,
  useTimelineSelection,
  useTimelineView,
} from "./timeline-context.ts";
import type { Range } from "./viewport.ts";
import styles from "./empty-view.module.css";

const filesOf = (captured: number): string =>
  captured === 1 ? texts.fileCovers : captured === 2 ? texts.bothReplicasFilesCover : texts.allFilesCover;

/** Names of replicas, each once: `SQL1 and SQL2`. */
const namesJoined = ({ replicas }: Pick<Summary, "replicas">, indices: readonly number[]): string =>
  [...new Set(indices)].map((replica) => replicas[replica]?.name ?? texts.replica).join(" and ");

/**
 * `SQL1's file covers`: the primary of the blocks on both sides, or two names where another server took over in
 * between.
 */
function primariesCover(
  { replicas, phases }: Pick<Summary, "replicas" | "phases">,
  { previous, next }: Neighbors,
): string {
  const primaries = [previous, next].flatMap((block) => (block ? [phases[block.phase]?.primary ?? 0] : []));
  const own = [...new Set(primaries.length === 0 ? [phases[0]?.primary ?? 0] : primaries)];
  const names = own.map((replica) => `${replicas[replica]?.name ?? texts.replica}'s`).join(" and ");
  return own.length > 1 ? texts.filesCover(names) : texts.fileCoversPart(names);
}

/**
 * Reason for an empty view: no log was written, no session recorded, or the events were lost (docs/contribute/design.md
 * 12).
 */
export function emptyText(
  summary: Pick<Summary, "replicas" | "files" | "phases">,
  uncovered: TimelineData["uncovered"],
  [from, to]: Range,
  neighbors: Neighbors,
  isFiltered = false,
): string {
  if (isFiltered) return texts.noBlock;
  const missing = uncovered.filter(([a, b]) => b > from && a < to);
  const names = namesJoined(
    summary,
    missing.map(([, , , replica]) => replica),
  );
  if (missing.some(([, , role]) => role === 0)) return texts.filesHaveNoEvents(names);
  const joined = joint(neighbors);
  if (joined === "hole") return HOLE_WORDS;
  if (joined === "unknown" && summary.files.some(({ gaps }) => gaps.length > 0)) return texts.fileHasAGap;
  if (missing.length > 0) return texts.coverWithoutReplica(primariesCover(summary, neighbors), names);
  const covers = filesOf(summary.replicas.filter(({ hasCapture }) => hasCapture).length);
  return joined === "gapless" ? texts.coverWithoutHole(covers) : texts.coverThisTime(covers);
}

/** An offset with as many decimals as the ends of the range need to differ. */
const offset = (summary: Summary, us: number, [from, to]: Range): string =>
  formatOffset(summary, us, 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, (to - from) / 20)))));

function hardenText({ hops }: Sequence): string {
  const harden = hops[0]?.remoteHarden ?? null;
  return harden === null ? "" : `, ${durationText(harden)}`;
}

/** Shown over lanes without content: the reason, and the place of the next block. */
export function EmptyView(): ReactNode {
  const { source, summary, view } = useCapture();
  const { uncovered } = useTimelineData();
  const { range, viewport, duration } = useTimelineView();
  const { selection } = useTimelineSelection();
  const {
    value: neighbors,
    error,
    retry,
  } = useAnswer(neighborsOf(source, { from: range[0], to: range[1] }), {
    keepsValue: false,
  });
  const { previous, next } = neighbors ?? { previous: null, next: null };
  // The keys [ and ] start from a selected block where there is one.
  const keysLead = view.block === null;
  return (
    <section className={styles.empty} aria-labelledby="empty-view-title">
      <h2 id="empty-view-title">
        {texts.nothingBetween(
          view.where === null,
          offset(summary, range[0], range),
          offset(summary, range[1], range),
        )}
      </h2>
      <p>{neighbors ? emptyText(summary, uncovered, range, neighbors, view.where !== null) : ""}</p>
      <Problem sentence={error} onRetry={retry} />
      <Button disabled={previous === null} onClick={() => previous && selection.select(previous.row)}>
        <span>
          <span aria-hidden="true">‹</span>{" "}
          {texts.previousBlock(
            previous ? `, ${formatOffset(summary, previous.time)}${hardenText(previous)}` : "",
          )}
        </span>
        {keysLead ? <Kbd>[</Kbd> : null}
      </Button>
      <Button disabled={next === null} onClick={() => next && selection.select(next.row)}>
        <span>
          <span aria-hidden="true">›</span>{" "}
          {texts.nextBlock(next ? `, ${formatOffset(summary, next.time)}${hardenText(next)}` : "")}
        </span>
        {keysLead ? <Kbd>]</Kbd> : null}
      </Button>
      <Button onClick={() => viewport.set([0, duration])}>
        <span>{texts.wholeCapture}</span> <Kbd>0</Kbd>
      </Button>
    </section>
  );
}
