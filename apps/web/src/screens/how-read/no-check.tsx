import { type ReactNode, useEffect } from "react";
import { startAnalysis } from "../../data/captures-client.ts";
import { useCommand } from "../../data/use-command.ts";
import { KeyHint } from "../../frame/key-hint.tsx";
import { Message } from "../../frame/page.tsx";
import { Problem } from "../../frame/problem.tsx";
import { howReadTexts as texts } from "../../messages/how-read.ts";
import { Button } from "../../ui/controls.tsx";
import { useKeys } from "../../ui/keys.ts";
import { TAB_LABELS, useCapture } from "../capture-view/capture-context.ts";
import styles from "./how-read.module.css";

/** Replaces a missing check: shows why it is missing, and the action that runs it. */
export function NoCheck(): ReactNode {
  const { canChange, onChanged, open, cameFrom, setStatus } = useCapture();
  useKeys({ back: () => open(cameFrom ?? "overview") });
  const back = TAB_LABELS[cameFrom ?? "overview"].toLowerCase();
  useEffect(() => setStatus(<KeyHint keys={["Esc"]}>{back}</KeyHint>), [setStatus, back]);
  const overview = <Button onClick={() => open("overview")}>{texts.openTheOverview}</Button>;
  const canAnalyze = canChange && onChanged !== undefined;
  return (
    <Message title={texts.thisCaptureHasNo} detail={texts.earlierVersionOfAg(canAnalyze)}>
      {canAnalyze ? <AnalyzeAgain onStarted={onChanged} /> : overview}
    </Message>
  );
}

function AnalyzeAgain({ onStarted }: { readonly onStarted: () => void }): ReactNode {
  const { source } = useCapture();
  const { run, isRunning, error } = useCommand(async () => {
    await startAnalysis(source.id);
    onStarted();
  });
  return (
    <div className={styles.again}>
      <Button kind="primary" disabled={isRunning} onClick={() => run()}>
        {texts.analyzeAgain}
      </Button>
      <Problem sentence={error} />
    </div>
  );
}
