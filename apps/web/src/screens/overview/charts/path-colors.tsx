import type { ReactNode } from "react";
import type { ReplicaRows } from "@aglens/contract";
import { colorName, PATH_COLORS, termOfColor } from "../../../lanes/palette.ts";
import { Swatch } from "../../../ui/controls.tsx";
import { durationText } from "../../../ui/words.ts";
import styles from "../replica-matrix.module.css";
import { Term } from "../../../ui/term.tsx";

/** Means of the path to a secondary, or of the local log write as a path of its own. */
export const pathStages = (
  rows: ReplicaRows,
  secondary: number | null,
): ReplicaRows["replicas"][number]["stages"] | { readonly remoteHarden: number | null } =>
  secondary === null
    ? { remoteHarden: rows.local.write.mean }
    : (rows.replicas[secondary]?.stages ?? { remoteHarden: null });

const NAMES = { primary: "Primary", secondary: "Secondary" };

/** Meaning of the colors of a path. */
export const PathColors = (): ReactNode => (
  <ul className={styles.colors}>
    {PATH_COLORS.map((token) => (
      <li key={token}>
        <Swatch color={`var(${token})`} /> <Term id={termOfColor(token)}>{colorName(token, NAMES)}</Term>
      </li>
    ))}
  </ul>
);

/** A figure under a bar, in the middle of its stage. */
export function UnderBar({
  at,
  us,
  words,
}: {
  readonly at: number;
  readonly us: number;
  readonly words?: string;
}) {
  return (
    <span style={{ left: `${at}%` }}>
      {words === undefined ? <b>{durationText(us)}</b> : `${words} ${durationText(us)}`}
    </span>
  );
}
