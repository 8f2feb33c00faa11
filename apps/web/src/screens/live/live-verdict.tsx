import type { ReactNode } from "react";
import type { LivePicture } from "@aglens/contract";
import { liveTexts as texts } from "../../messages/live.ts";
import { judgedText } from "./run-text.ts";
import { type CaptureTime, timesInZone, unbroken } from "../../ui/words.ts";
import laneFrame from "../lane-view/lane-frame.module.css";
import styles from "./sessions.module.css";

/** Next steps that are shown. */
const MOST_CHECKS = 2;

interface Props {
  readonly verdict: LivePicture["verdict"];
  readonly judged: LivePicture["judged"];
  /** Database of the verdict; null for all. */
  readonly database: string | null;
  readonly clock: CaptureTime;
}

/** The verdict so far and the time that it covers; the figures next to it cover the same seconds. */
export function LiveVerdict({ verdict, judged, database, clock }: Props): ReactNode {
  return (
    <section className={styles.verdict} data-place={verdict?.place ?? "none"} aria-label={texts.verdict}>
      <p aria-live="polite">
        {database === null ? null : <b>{database}: </b>}
        {verdict === null ? texts.noBlockHasFinished : unbroken(timesInZone(clock, verdict.sentence))}
      </p>
      {verdict === null ? null : (
        <>
          <p className="quiet text">{texts.verdictAndFigures(judgedText(judged))}</p>
          {verdict.checkNext.length === 0 ? null : <h3>{texts.checkNext}</h3>}
          {verdict.checkNext.slice(0, MOST_CHECKS).map((line) => (
            <p key={line} className={laneFrame.sub}>
              {unbroken(timesInZone(clock, line))}
            </p>
          ))}
        </>
      )}
    </section>
  );
}
