import type { ReactNode } from "react";
import { openSample } from "../../data/captures-client.ts";
import { useCommand } from "../../data/use-command.ts";
import { Problem } from "../../frame/problem.tsx";
import { IS_ALONE } from "../../alone.ts";
import { capturesTexts as texts } from "../../messages/captures.ts";
import { isTourOffered } from "../../state/tour.ts";
import { navigate } from "../../state/navigate.ts";
import styles from "./ways-in.module.css";

const SAMPLE = "slow-network";

/** Ways to begin without files: the sample, a live run, the capture guide. */
export function WaysIn(): ReactNode {
  const sample = useCommand(async () =>
    navigate(`/captures/${(await openSample(SAMPLE)).id}${isTourOffered() ? "?tour=1" : ""}`),
  );
  return (
    <section aria-label={texts.startWithoutFiles}>
      <div className={styles.ways}>
        {IS_ALONE ? null : (
          <>
            <Way
              title={texts.openTheSample}
              words={texts.slowNetworkBetweenTwo}
              isRunning={sample.isRunning}
              onClick={() => sample.run()}
            />
            <Way title={texts.attachLive} words={texts.readTheEvents} onClick={() => navigate("/live")} />
          </>
        )}
        <Way
          title={texts.captureGuide}
          words={texts.scriptsForTheSecondaries}
          onClick={() => navigate("/guide")}
        />
      </div>
      <Problem sentence={sample.error} />
    </section>
  );
}

interface WayProps {
  readonly title: string;
  readonly words: string;
  readonly isRunning?: boolean;
  readonly onClick: () => void;
}

function Way({ title, words, isRunning = false, onClick }: WayProps): ReactNode {
  return (
    <button type="button" className={`card ${styles.way}`} disabled={isRunning} onClick={onClick}>
      <span>
        <b>{title}</b>
        <span>{words}</span>
      </span>
      <span aria-hidden="true">→</span>
    </button>
  );
}
