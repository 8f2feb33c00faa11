import type { ReactNode } from "react";
import type { LivePicture } from "@aglens/contract";
import { unbroken } from "../../ui/words.ts";
import laneFrame from "../lane-frame.module.css";
import styles from "./sessions.module.css";

interface Props {
  readonly verdict: LivePicture["verdict"];
  /** That it is about; null for all. */
  readonly database: string | null;
}

/** The verdict so far and what it rests on: figures beside it are of another stretch. */
export function LiveVerdict({ verdict, database }: Props): ReactNode {
  return (
    <section className={styles.verdict} data-place={verdict?.place ?? "none"} aria-label="Verdict">
      <p aria-live="polite">
        {database === null ? null : <b>{database}: </b>}
        {verdict === null ? "No block has finished yet." : unbroken(verdict.sentence)}
      </p>
      {verdict === null ? null : (
        <p className={laneFrame.sub}>
          {verdict.checkNext.length === 0
            ? null
            : `Check next: ${unbroken(verdict.checkNext.slice(0, 2).join("; "))}. `}
          <span className="quiet">On the last 15{"\u00a0"}s, or 200 blocks where those are more.</span>
        </p>
      )}
    </section>
  );
}
