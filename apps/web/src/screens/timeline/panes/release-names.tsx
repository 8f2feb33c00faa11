import type { ReactNode } from "react";
import { TRACK_PITCH_PX, type ReleaseCandidate } from "../../../charts/timeline/release-tracks.ts";
import { timelinePanesTexts as texts } from "../../../messages/timeline-panes.ts";
import { MiddleEllipsis } from "../../../ui/middle-ellipsis.tsx";
import { Term } from "../../../ui/term.tsx";
import { formatCount } from "../../../ui/words.ts";
import { releasesInView } from "./release-candidates.ts";
import styles from "./release-names.module.css";

interface Props {
  readonly candidates: readonly ReleaseCandidate[];
  /** Top of the first track, px. */
  readonly top: number;
  /** Commits in view by what released them; null before they are known. */
  readonly gates: readonly number[] | null;
}

/** Names next to the tracks of the lane "Released by", each with its commits in view. */
export function ReleaseNames({ candidates, top, gates }: Props): ReactNode {
  return (
    <div className={styles.lane} style={{ top }}>
      <span className={styles.name} id="released-by">
        <Term id="releasedBy">{texts.releasedByLabel}</Term>
      </span>
      <ul className={styles.tracks} aria-labelledby="released-by">
        {candidates.map((candidate) => (
          <li key={candidate.gate} style={{ height: TRACK_PITCH_PX }}>
            <MiddleEllipsis text={candidate.name} className={styles.candidate} />
            <b className="rigid ink strong figures">
              {gates === null ? "" : formatCount(releasesInView(gates, candidate))}
              <span className="sr-only"> {texts.commits}</span>
            </b>
          </li>
        ))}
      </ul>
    </div>
  );
}
