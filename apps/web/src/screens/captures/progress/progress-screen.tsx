import { type ReactNode, useEffect, useRef, useState } from "react";
import type { ReadyCapture, Capture, Progress } from "@aglens/contract";
import { type ReadPoints, withReport } from "../../../charts/reading/read-rates.ts";
import { cancelAnalysis, previewOfCapture, watchProgress } from "../../../data/captures-client.ts";
import { isLocalId } from "../../../data/local-server.ts";
import { useAnswer } from "../../../data/use-answer.ts";
import { useCommand } from "../../../data/use-command.ts";
import { Page } from "../../../frame/page.tsx";
import { Problem } from "../../../frame/problem.tsx";
import { progressTexts as texts } from "../../../messages/progress.ts";
import { Button } from "../../../ui/controls.tsx";
import { formatCount } from "../../../ui/words.ts";
import { AnalysisSteps, phaseText } from "./analysis-steps.tsx";
import { CaptureTitle } from "../capture-title.tsx";
import { FirstPicture } from "./first-picture.tsx";
import { analysesText, progressHeadline, shareText, waitingReason, waitingText } from "./progress-text.ts";
import { PhaseBar } from "./phase-bar.tsx";
import { byReplica } from "../replica-files.ts";
import { ReplicaProgress } from "./replica-progress.tsx";
import { StatePage } from "../state-page.tsx";
import { useExpectedTime } from "./use-expected-time.ts";
import styles from "./progress-screen.module.css";

interface Props {
  readonly capture: Capture;
  /**
   * The analysis ended, successfully or not: the state of the capture shows how. @param analyzed where the message
   * contains the current capture
   */
  readonly onDone: (analysed: ReadyCapture | null) => void;
  readonly onCancelled: () => void;
}

/**
 * The analysis while it runs: how far each replica's files are read, which steps are complete, and a button to cancel.
 */
export function ProgressScreen({ capture, onDone, onCancelled }: Props): ReactNode {
  const [progress, setProgress] = useState<Progress | null>(capture.progress);
  const isOwn = isLocalId(capture.id);
  const watched = useExpectedTime(capture.progress, isOwn);
  const [points, setPoints] = useState<ReadPoints>(() =>
    withReport(new Map(), capture.progress?.files ?? []),
  );
  const listener = useRef({ onDone, ...watched });
  useEffect(() => {
    listener.current = { onDone, ...watched };
  });
  useEffect(
    () =>
      watchProgress(capture.id, {
        onProgress: (report) => {
          setProgress(report);
          listener.current.onProgress(report);
          setPoints((before) => withReport(before, report.files));
        },
        onReady: (analysed) => {
          listener.current.onReady();
          listener.current.onDone(analysed);
        },
        onFailed: () => listener.current.onDone(null),
      }),
    [capture.id],
  );
  const cancel = useCommand(async () => {
    await cancelAnalysis(capture.id);
    onCancelled();
  });
  const phase = progress?.phase ?? "receiving";
  // From this phase on the analysis has a picture, though not yet a verdict.
  const hasPicture = phase === "verdict" || phase === "store";
  const preview = useAnswer(hasPicture ? previewOfCapture(capture.id) : null).value;
  return (
    <Page
      title={capture.name}
      isForReading
      what={<CaptureTitle capture={capture} />}
      actions={<Button onClick={() => cancel.run()}>{texts.cancel}</Button>}
      status={analysesText(progress)}
      statusRight={
        progress === null || progress.events === 0 ? null : texts.eventsRead(formatCount(progress.events))
      }
    >
      <StatePage
        title={progressHeadline(capture, progress, watched.time)}
        lead={texts.keepThisPageOpen(
          waitingReason(progress),
          shareText(watched.time, isOwn ? "browser" : "server"),
          isOwn,
        )}
      >
        <output className="sr-only">{waitingText(progress) ?? phaseText(phase)}</output>
        <Problem sentence={cancel.error} />
        <PhaseBar time={watched.time} elapsedMs={watched.elapsedMs} />
        <FirstPicture capture={capture} progress={progress} points={points} preview={preview} />
        <div className={styles.rows}>
          {byReplica(capture.files).map((replica) => (
            <ReplicaProgress
              key={`${replica.role} ${replica.replica}`}
              replica={replica}
              progress={progress}
            />
          ))}
        </div>
        <AnalysisSteps progress={progress} time={watched.time} />
        <p className="quiet">{isOwn ? texts.filesAreRead : texts.filesAreReadOn}</p>
      </StatePage>
    </Page>
  );
}
