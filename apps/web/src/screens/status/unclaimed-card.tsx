import type { ReactNode } from "react";
import type { UnclaimedFigures } from "@aglens/contract";
import { Card } from "../../ui/controls.tsx";
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
      <table className={styles.table}>
        <thead className="sr-only">
          <tr>
            <th scope="col">Event</th>
            <th scope="col">Events</th>
            <th scope="col">Unclaimed bytes</th>
          </tr>
        </thead>
        <tbody>
          {types.map((type) => (
            <tr key={type.event}>
              <td title={type.event}>{type.event === "other" ? "Other events" : type.event}</td>
              <td className={styles.figure}>{formatCount(type.events)}</td>
              <td className={styles.figure}>{formatBytes(type.bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
