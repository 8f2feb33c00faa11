import type { ReactNode } from "react";
import type { WaitingRow } from "@aglens/contract";
import { Value } from "../../ui/controls.tsx";
import { formatCount, formatDuration } from "../../ui/words.ts";
import { rowColours } from "./waiting-words.ts";
import styles from "./waiting.module.css";

/** Writes of one log writer by how many blocks shared one: how it escapes a queue, more blocks for the same write. */
export function SharedWrites({ row }: { readonly row: WaitingRow }): ReactNode {
  const most = Math.max(1, ...row.sharedWrites.map(({ writes }) => writes));
  const { bar } = rowColours(row);
  const last = row.sharedWrites.at(-1)?.blocks;
  return (
    <table className={`${styles.shared} figure-table`} aria-label="Blocks that share one write">
      <thead>
        <tr>
          <th scope="col">Blocks</th>
          <th scope="col">
            <span className="sr-only">Share</span>
          </th>
          <th scope="col">Writes</th>
          <th scope="col">Write p50</th>
          <th scope="col">Waited p50</th>
        </tr>
      </thead>
      <tbody>
        {row.sharedWrites.map(({ blocks, writes, writeUs, waitedUs }) => (
          <tr key={blocks}>
            <th scope="row">{blocks === last ? `${blocks} or more` : blocks}</th>
            <td className={styles.share} aria-hidden="true">
              <i style={{ width: `${(100 * writes) / most}%`, background: bar }} />
            </td>
            <td>{formatCount(writes)}</td>
            <td>
              <Value figure={formatDuration(writeUs)} />
            </td>
            <td>
              <Value figure={formatDuration(waitedUs)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
