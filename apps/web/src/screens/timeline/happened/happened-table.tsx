import type { ReactNode } from "react";
import { happenedTexts as texts } from "../../../messages/happened.ts";
import { FigureTable } from "../../../ui/figure-table.tsx";
import { formatTime } from "../../../ui/words.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import { useTimelineData, useTimelineView } from "../timeline-context.ts";
import { plusMinusText, sourcesText } from "../../capture-view/source-names.ts";

/** Rows of the table; keys and the zoom reach the others. */
const MOST_ROWS = 200;

/** The events in view for screen readers, which don't read the lanes. */
export function HappenedTable(): ReactNode {
  const { summary } = useCapture();
  const { happened } = useTimelineData();
  const { range } = useTimelineView();
  if (happened === null || happened.shown.length === 0) return null;
  const { events } = happened.answer;
  const inView = happened.inTurn.filter(
    (index) => events[index]!.at >= range[0] && events[index]!.at <= range[1],
  );
  return (
    <div className="sr-only">
      <FigureTable<number>
        caption={texts.tableOf(Math.min(MOST_ROWS, inView.length), inView.length)}
        rows={inView.slice(0, MOST_ROWS)}
        rowKey={(index) => index}
        columns={[
          {
            id: "time",
            head: texts.timeHead,
            cell: (index) => `${formatTime(summary, events[index]!.at, 3)} ${plusMinusText(events[index]!)}`,
          },
          { id: "event", head: texts.event, align: "left", cell: (index) => events[index]!.text },
          { id: "sources", head: texts.sourcesHead, cell: (index) => sourcesText(events[index]!) },
        ]}
      />
    </div>
  );
}
