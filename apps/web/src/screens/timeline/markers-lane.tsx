import type { ReactNode } from "react";
import type { MarkerWindow, Summary } from "xel-parser/contract";
import { MARKER_KINDS, type MarkerKind } from "xel-parser/replication";
import { durationText, formatOffset } from "../../ui/words.ts";
import type { Range } from "./viewport.ts";

const WORDS: Readonly<Record<MarkerKind, string>> = {
  vlfSwitch: "VLF switch",
  databaseFlowControl: "Database flow control",
  transportFlowControl: "Transport flow control",
  stillWaiting: "Still waiting",
};
const MOST = 200;

/** Instants worth a mark: flow control, VLF switches, still-waiting events of what is in view. */
export function MarkersLane({
  markers,
  summary,
  range,
  width,
}: {
  markers: MarkerWindow | null;
  summary: Summary;
  range: Range;
  width: number;
}): ReactNode {
  const table = markers?.markers;
  const inView: number[] = [];
  for (let i = 0; table && i < table.length && inView.length < MOST; i++)
    if (table.time[i] >= range[0] && table.time[i] < range[1]) inView.push(i);
  return (
    <div className="tl-markers">
      <span>Markers</span>
      <div style={{ width }}>
        {table && inView.length > 0
          ? inView.map((i) => {
              const kind = MARKER_KINDS[table.kind[i]];
              const words = `${WORDS[kind]}, ${summary.replicas[table.replica[i]]?.name ?? ""}, ${formatOffset(table.time[i])}${table.duration[i] > 0 ? `, ${durationText(table.duration[i])}` : ""}`;
              return (
                <i
                  key={i}
                  className={kind}
                  title={words}
                  style={{ left: ((table.time[i] - range[0]) / (range[1] - range[0])) * width }}
                />
              );
            })
          : "No flow control, no VLF switch, no still-waiting event in view"}
      </div>
    </div>
  );
}
