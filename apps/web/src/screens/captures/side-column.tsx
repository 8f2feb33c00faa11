import type { ReactNode } from "react";
import { navigate } from "wouter/use-browser-location";
import { Button } from "../../ui/controls.tsx";
import { RecentCaptures } from "./recent-captures.tsx";
import { SampleCard } from "./sample-card.tsx";
import styles from "./side-column.module.css";

interface Props {
  readonly onGuide: () => void;
  /** The capture that is put together now. */
  readonly draftId: string | null;
}

/** Where it runs, the sample, the capture guide, and captures of before. */
export function SideColumn({ onGuide, draftId }: Props): ReactNode {
  return (
    <>
      <h2>Where the analysis runs</h2>
      <p className={`card ${styles.where}`}>
        <b>On this server</b>
        <span>Files go to {window.location.host} and to no other place.</span>
      </p>
      <h2>{draftId === null ? "No files yet" : "Without files"}</h2>
      <SampleCard />
      <div className={styles.otherWays}>
        <Button size="large" onClick={() => navigate("/live")}>
          Attach live
        </Button>
        <Button size="large" onClick={onGuide}>
          Write a capture script
        </Button>
      </div>
      <RecentCaptures key={draftId} draftId={draftId} />
    </>
  );
}
