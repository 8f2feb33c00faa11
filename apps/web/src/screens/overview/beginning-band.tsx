import type { ReactNode } from "react";
import { durationText, formatCount } from "../../ui/words.ts";
import { AnswerBand } from "../answer-band.tsx";
import { useOverview } from "./overview-context.ts";

/** In the place of the verdict of a capture of which only the beginning is known: its figures, as far as that. */
export function BeginningBand(): ReactNode {
  const { summary, words } = useOverview().judged;
  const { count, latency } = summary.commits;
  const where = words === null ? "so far" : `of ${words}`;
  const commits =
    latency.p50 === null || latency.p95 === null
      ? `No commit ${where}.`
      : `Commits ${where} took ${durationText(latency.p50)} at p50 and ${durationText(latency.p95)} at p95.`;
  return (
    <AnswerBand
      label="Beginning"
      sentences={[commits]}
      evidence={[
        <>
          <b>{formatCount(count)}</b> commits
        </>,
        <>
          <b>{formatCount(summary.blocks.total)}</b> log blocks
        </>,
        "the verdict is on the whole capture",
      ]}
      asideTitle=""
      aside={[]}
    />
  );
}
