import type { ReactNode } from "react";
import { navigate } from "../../state/navigate.ts";
import { IS_ALONE } from "../../alone.ts";
import { Button } from "../../ui/controls.tsx";
import { usePlace } from "../../data/place.ts";
import { KeptCaptures } from "./kept-captures.tsx";
import { RecentCaptures } from "./recent-captures.tsx";
import { SampleCard } from "./sample-card.tsx";
import { WhereRuns } from "./where-runs.tsx";
import styles from "./side-column.module.css";

interface Props {
  readonly onGuide: () => void;
  /** The capture that is put together now. */
  readonly draftId: string | null;
}

/** Where it runs, the sample, the capture guide, and captures of before. */
export function SideColumn({ onGuide, draftId }: Props): ReactNode {
  const { place } = usePlace();
  return (
    <>
      <WhereRuns hasDraft={draftId !== null} />
      <h2>{draftId === null ? "No files yet" : "Without files"}</h2>
      {IS_ALONE ? null : <SampleCard />}
      <div className={styles.otherWays}>
        {IS_ALONE ? null : (
          <Button size="large" onClick={() => navigate("/live")}>
            Attach live
          </Button>
        )}
        <Button size="large" onClick={onGuide}>
          Write a capture script
        </Button>
      </div>
      <RecentCaptures key={draftId} draftId={draftId} />
      {place === "browser" ? <KeptCaptures key={`kept ${draftId}`} /> : null}
    </>
  );
}
