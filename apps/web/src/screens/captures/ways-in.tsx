import type { ReactNode } from "react";
import { openSample } from "../../data/captures-client.ts";
import { useCommand } from "../../data/use-command.ts";
import { Problem } from "../../frame/problem.tsx";
import { IS_ALONE } from "../../alone.ts";
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
    <section aria-label="Start without files">
      <div className={styles.ways}>
        {IS_ALONE ? null : (
          <>
            <Way
              title="Open the sample"
              words="A slow network between two replicas."
              isRunning={sample.isRunning}
              onClick={() => sample.run()}
            />
            <Way
              title="Attach live"
              words="Read the events from running servers."
              onClick={() => navigate("/live")}
            />
          </>
        )}
        <Way
          title="Capture guide"
          words="Scripts for the secondaries and the primary."
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
