import type { ReactNode } from "react";
import type { LivePicture } from "@aglens/contract";
import { judgedWords } from "./run-words.ts";
import { unbroken } from "../../ui/words.ts";
import laneFrame from "../lane-view/lane-frame.module.css";
import styles from "./sessions.module.css";

interface Props {
  readonly verdict: LivePicture["verdict"];
  readonly judged: LivePicture["judged"];
  /** Database of the verdict; null for all. */
  readonly database: string | null;
}

/** The verdict so far and the time that it covers; the figures next to it cover the same seconds. */
export function LiveVerdict({ verdict, judged, database }: Props): ReactNode {
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
          <span className="quiet">Verdict and figures: {judgedWords(judged)}.</span>
        </p>
      )}
    </section>
  );
}
