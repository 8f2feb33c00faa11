import type { ReactNode } from "react";
import { formatLsn, REMOTE_STAGE_IDS, type StageId, stageName } from "@aglens/ag-model/replication";
import { stageDuration } from "@aglens/ag-model/columns";
import { reportTexts as texts } from "../../../messages/report.ts";
import { FigureTable } from "../../../ui/figure-table.tsx";
import { durationText, formatTime, zoneName } from "../../../ui/words.ts";
import type { ReportData } from "./report-data.ts";
import { Section } from "./section.tsx";

const SHOWN: readonly StageId[] = ["localFlush", ...REMOTE_STAGE_IDS, "remoteHarden"];

/**
 * Every block of the timeline's range with its stages; absent where the range has too many blocks to load them one by
 * one.
 */
export function AllBlocksPart({ data }: { readonly data: ReportData }): ReactNode {
  const { buffer, choice, names, summary, filter } = data;
  const { blocks: window } = buffer;
  if (window === null) return null;
  const isListed = (row: number): boolean => filter?.rows?.has(row) ?? true;
  const rows = Array.from(window.row.keys()).filter((i) => isListed(window.row[i] ?? 0));
  return (
    <Section
      id="blocks"
      title={texts.allBlocks}
      note={texts.towards(rows.length, filter === null, names.secondary)}
    >
      <FigureTable<number>
        className="dense"
        rows={rows}
        columns={[
          { id: zoneName(summary), cell: (i) => formatTime(summary, window.blocks.time[i] ?? 0) },
          { id: "LSN", cell: (i) => formatLsn(window.blocks.blockId[i] ?? 0n) },
          ...SHOWN.map((id) => ({
            id: stageName(id, names),
            className: "number",
            cell: (i: number) => durationText(known(stageDuration(window, choice.secondary, id, i))),
          })),
        ]}
      />
    </Section>
  );
}

const known = (us: number): number | null => (Number.isNaN(us) ? null : us);
