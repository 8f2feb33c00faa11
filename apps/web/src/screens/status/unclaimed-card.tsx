import type { ReactNode } from "react";
import type { UnclaimedFigures } from "@aglens/contract";
import { statusTexts as texts } from "../../messages/status.ts";
import { Card } from "../../ui/controls.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { formatBytes, formatCount } from "../../ui/words.ts";
import styles from "./status-screen.module.css";

/** Whether received files have payload bytes that no column claims, which shows that the decoder is wrong. */
export function UnclaimedCard({ files, bytes, types }: UnclaimedFigures): ReactNode {
  if (files === 0) {
    return (
      <Card title={texts.unclaimedPayloadBytes}>
        <p className="quiet">{texts.noReceivedFile}</p>
      </Card>
    );
  }
  const which = texts.theseFiles(files);
  return (
    <Card title={texts.unclaimedPayloadBytes} aside={texts.in(formatBytes(bytes), files)}>
      <p>{texts.decoderMayBeWrong(which, <code>xel check</code>)}</p>
      <FigureTable<UnclaimedFigures["types"][number]>
        className={styles.table}
        isHeadHidden
        rows={types}
        columns={[
          {
            id: "Event",
            cell: ({ event }) => (event === "other" ? texts.otherEvents : event),
            cellProps: ({ event }) => ({ title: event }),
          },
          { id: "Events", className: styles.figure, cell: ({ events }) => formatCount(events) },
          { id: "Unclaimed bytes", className: styles.figure, cell: (type) => formatBytes(type.bytes) },
        ]}
      />
    </Card>
  );
}
