import type { ReactNode } from "react";
import type { WaitingRow } from "@aglens/contract";
import { waitingTexts as texts } from "../../messages/waiting.ts";
import { FigureTable } from "../../ui/figure-table.tsx";
import { formatCount, formatDuration } from "../../ui/words.ts";
import { rowColors } from "./waiting-text.ts";
import styles from "./waiting.module.css";

/** Writes of one log writer by the number of blocks in each: with a queue, more blocks share the same write. */
export function SharedWrites({ row }: { readonly row: WaitingRow }): ReactNode {
  const most = Math.max(1, ...row.sharedWrites.map(({ writes }) => writes));
  const { bar } = rowColors(row);
  const last = row.sharedWrites.at(-1)?.blocks;
  return (
    <FigureTable<WaitingRow["sharedWrites"][number]>
      className={styles.shared}
      aria-label={texts.blocksThatShareOne}
      rows={row.sharedWrites}
      rowKey={({ blocks }) => blocks}
      columns={[
        { id: "Blocks", cell: ({ blocks }) => (blocks === last ? texts.orMore(blocks) : blocks) },
        {
          id: "Share",
          isHeadHidden: true,
          className: styles.share,
          cell: ({ writes }) => <i style={{ width: `${(100 * writes) / most}%`, background: bar }} />,
          cellProps: () => ({ "aria-hidden": true }),
        },
        { id: "Writes", cell: ({ writes }) => formatCount(writes) },
        { id: "Write p50", term: "p50", cell: ({ writeUs }) => formatDuration(writeUs) },
        { id: "Waited p50", term: "p50", cell: ({ waitedUs }) => formatDuration(waitedUs) },
      ]}
    />
  );
}
