import type { ReactNode } from "react";
import { formatLsn, REMOTE_STAGE_IDS, type StageId } from "@aglens/ag-model/replication";
import { stageDuration } from "@aglens/ag-model/columns";
import { stageWords } from "../../../lanes/palette.ts";
import { durationText, formatUtc } from "../../../ui/words.ts";
import { countedWords } from "../../counted-words.ts";
import type { ReportData } from "./report-data.ts";
import { Section } from "./section.tsx";

const SHOWN: readonly StageId[] = ["localFlush", ...REMOTE_STAGE_IDS, "remoteHarden"];

/** Every block of the timeline's stretch with its stages; absent where the stretch has more than come one by one. */
export function AllBlocksPart({ data }: { readonly data: ReportData }): ReactNode {
  const { buffer, choice, names, summary, filter } = data;
  const { blocks: window } = buffer;
  if (window === null) return null;
  const isListed = (row: number): boolean => filter?.rows?.has(row) ?? true;
  const rows = Array.from(window.row.keys()).filter((i) => isListed(window.row[i] ?? 0));
  return (
    <Section
      id="blocks"
      title="All blocks of the timeline"
      note={`${countedWords(rows.length, "block")}${filter === null ? "" : " of the filter"} towards ${names.secondary}`}
    >
      <table className="dense">
        <thead>
          <tr>
            <th scope="col">UTC</th>
            <th scope="col">LSN</th>
            {SHOWN.map((id) => (
              <th key={id} scope="col" className="number">
                {stageWords(id, names)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((i) => (
            <tr key={i}>
              <td>{formatUtc(summary, window.blocks.time[i] ?? 0)}</td>
              <td>{formatLsn(window.blocks.blockId[i] ?? 0n)}</td>
              {SHOWN.map((id) => (
                <td key={id} className="number">
                  {durationText(known(stageDuration(window, choice.secondary, id, i)))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

const known = (us: number): number | null => (Number.isNaN(us) ? null : us);
