import type { ReactNode } from "react";
import { navigate } from "../../state/navigate.ts";
import { useKeepSensitive } from "../../data/keep-sensitive.ts";
import { Check } from "../../frame/field.tsx";
import { Button } from "../../ui/controls.tsx";
import { RecentCaptures } from "./recent-captures.tsx";
import { SampleCard } from "./sample-card.tsx";
import styles from "./side-column.module.css";

interface Props {
  readonly onGuide: () => void;
  /** The capture that is put together now. */
  readonly draftId: string | null;
}

/** Whether the files that are added from now on keep what names people and quotes statements. */
function KeepSensitive(): ReactNode {
  const { keepSensitive, setKeepSensitive } = useKeepSensitive();
  return (
    <Check checked={keepSensitive} onChange={setKeepSensitive}>
      Keep statement texts, host and login names in files added from now on. Otherwise they are overwritten
      before a file is kept.
    </Check>
  );
}

/** Where it runs, the sample, the capture guide, and captures of before. */
export function SideColumn({ onGuide, draftId }: Props): ReactNode {
  return (
    <>
      <h2>Where the analysis runs</h2>
      <p className={`card ${styles.where}`}>
        <b>On this server</b>
        <span>Files go to {window.location.host} and to no other place.</span>
        <KeepSensitive />
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
