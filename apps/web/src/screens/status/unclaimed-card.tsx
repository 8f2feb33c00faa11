import type { ReactNode } from "react";
import type { UnclaimedFigures } from "@aglens/contract";
import { Card } from "../../ui/controls.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { formatBytes, formatCount } from "../../ui/words.ts";
import styles from "./status-screen.module.css";

/** Whether received files have payload bytes that no column claims, which shows that the decoder is wrong. */
export function UnclaimedCard({ files, bytes, types }: UnclaimedFigures): ReactNode {
  if (files === 0) {
    return (
      <Card title="Unclaimed payload bytes">
        <p className="quiet">No received file has payload bytes that no column claims.</p>
      </Card>
    );
  }
  const which = files === 1 ? "this file" : "these files";
  return (
    <Card
      title="Unclaimed payload bytes"
      aside={`${formatBytes(bytes)} in ${formatCount(files)} ${files === 1 ? "file" : "files"}`}
    >
      <p>
        The decoder may be wrong for {which}: no column claims these bytes. Run <code>xel check</code> on{" "}
        {which} and send its text to the AG Lens project.
      </p>
      <FigureTable<UnclaimedFigures["types"][number]>
        className={styles.table}
        isHeadHidden
        rows={types}
        columns={[
          {
            id: "Event",
            cell: ({ event }) => (event === "other" ? "Other events" : event),
            cellProps: ({ event }) => ({ title: event }),
          },
          { id: "Events", className: styles.figure, cell: ({ events }) => formatCount(events) },
          { id: "Unclaimed bytes", className: styles.figure, cell: (type) => formatBytes(type.bytes) },
        ]}
      />
    </Card>
  );
}
