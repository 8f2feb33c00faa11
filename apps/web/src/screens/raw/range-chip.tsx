import type { ReactNode } from "react";
import { Button, Segmented } from "../../ui/controls.tsx";
import { durationText, formatOffset, formatUtcs } from "../../ui/words.ts";
import { useCapture } from "../capture-view/capture-context.ts";
import { firstViewName, isFirstPart, wholeOfView } from "../capture-view/shown-range.ts";

/** Whether events, blocks or commits are the rows. */
export function RowsChoice(): ReactNode {
  const { view, setView } = useCapture();
  return (
    <Segmented
      label="Rows"
      value={view.rows}
      options={[
        { value: "events", label: "Events" },
        { value: "blocks", label: "Slowest blocks" },
        { value: "commits", label: "Slowest commits" },
      ]}
      onChange={(rows) => setView({ rows })}
    />
  );
}

/** The time that is listed, and the way to the one that is listed first or to the whole capture. */
export function RangeChip(): ReactNode {
  const { summary, view, setView } = useCapture();
  const { range, time } = view;
  if (range === null)
    return (
      <>
        <span>{firstViewName(summary)}</span>
        {isFirstPart(summary) ? (
          <Button kind="quiet" onClick={() => setView({ range: wholeOfView(summary) })}>
            Show whole capture
          </Button>
        ) : null}
      </>
    );
  return (
    <Button onClick={() => setView({ range: null })} title={firstViewName(summary)}>
      {time === "utc"
        ? `${formatUtcs(summary, range[0], range[1], 3).join(" to ")} UTC`
        : `${formatOffset(summary, range[0])} to ${formatOffset(summary, range[1])}`}
      <span className="unit">{durationText(range[1] - range[0])}</span>
      <span aria-hidden="true">×</span>
      <span className="sr-only">, remove</span>
    </Button>
  );
}
