import type { ReactNode } from "react";
import type { Beginning, RangeStatistics, Summary } from "@aglens/contract";
import { useAnswer, WHEN_DRAGGED } from "../../data/use-answer.ts";
import { durationText, formatCount } from "../../ui/words.ts";
import { AnswerBand } from "../answer-band.tsx";
import { useCapture } from "../capture-context.ts";
import { knownCommits } from "../known-commits.ts";
import { useOverview } from "./overview-context.ts";

/**
 * In the place of the verdict of a capture of which only the beginning is known: the figures of what is in view, up to the beginning's
 * edge, past which not all of a block is known.
 */
export function BeginningBand({ beginning }: { readonly beginning: Beginning }): ReactNode {
  const { source, summary, view } = useCapture();
  const { from, to } = useOverview().scale;
  const until = Math.min(to, beginning.edgeUs);
  const known = useAnswer(from < until ? source.statistics({ from, to: until }) : null, WHEN_DRAGGED).value;
  const where = view.range === null ? "so far" : "in view";
  const figures = known === null || from >= until ? [] : countsOf(known, summary);
  return (
    <AnswerBand
      label="Beginning"
      sentences={[from < until ? latencyWords(known, where) : `No commit ${where} is known as a whole.`]}
      evidence={[...figures, "the verdict is on the whole capture"]}
      asideTitle=""
      aside={[]}
    />
  );
}

function latencyWords(known: RangeStatistics | null, where: string): string {
  if (known === null) return `Commits ${where}`;
  const { p50, p95 } = known.commitLatency;
  if (p50 === null) return `No commit ${where}.`;
  const most = p95 === null ? "" : ` and ${durationText(p95)} at p95`;
  return `Commits ${where} took ${durationText(p50)} at p50${most}.`;
}

const countsOf = ({ commits, blocks }: RangeStatistics, summary: Summary): ReactNode[] => [
  <>
    <b>{formatCount(knownCommits(summary, commits))}</b> commits
  </>,
  <>
    <b>{formatCount(blocks)}</b> log blocks
  </>,
];
