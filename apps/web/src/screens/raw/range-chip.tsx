import type { ReactNode } from "react";
import { rawTexts as texts } from "../../messages/raw.ts";
import { Button, Segmented } from "../../ui/controls.tsx";
import { durationText, formatOffset, formatRange, showsOffsets } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { firstViewName, isFirstPart, fullRangeOf } from "../capture-view/shown-range.ts";

/** Whether events, blocks or commits are the rows. */
export function RowsChoice(): ReactNode {
  const { view, setView } = useCapture();
  return (
    <Segmented
      label={texts.rows}
      value={view.rows}
      options={[
        { value: "events", label: texts.eventsLabel },
        { value: "blocks", label: texts.slowestBlocks },
        { value: "commits", label: texts.slowestCommits },
      ]}
      onChange={(rows) => setView({ rows })}
    />
  );
}

/** The listed time, with a link to the initial time or to the complete capture. */
export function RangeChip(): ReactNode {
  const { summary, view, setView } = useCapture();
  const { range } = view;
  if (range === null)
    return (
      <>
        <span>{firstViewName(summary)}</span>
        {isFirstPart(summary) ? (
          <Button kind="quiet" onClick={() => setView({ range: fullRangeOf(summary) })}>
            {texts.showWholeCapture}
          </Button>
        ) : null}
      </>
    );
  return (
    <Button onClick={() => setView({ range: null })} title={firstViewName(summary)}>
      {showsOffsets(summary)
        ? texts.to(formatOffset(summary, range[0]), formatOffset(summary, range[1]))
        : formatRange(summary, range[0], range[1], 3)}
      <span className="unit">{durationText(range[1] - range[0])}</span>
      <span aria-hidden="true">×</span>
      <span className="sr-only">{texts.remove}</span>
    </Button>
  );
}
