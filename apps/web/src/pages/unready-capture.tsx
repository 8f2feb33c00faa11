import type { ReactNode } from "react";
import type { ReadyCapture, Capture } from "@aglens/contract";
import { navigate } from "../state/navigate.ts";
import { Message, Page } from "../frame/page.tsx";
import { pagesTexts as texts } from "../messages/pages.ts";
import { CaptureTitle } from "../screens/captures/capture-title.tsx";
import { useDraft } from "../screens/captures/sending/draft.ts";
import { ProgressScreen } from "../screens/captures/progress/progress-screen.tsx";
import { Button } from "../ui/controls.tsx";

interface Props {
  /** One that has its files and no results. */
  readonly capture: Capture;
  /** The analysis ended while it was watched. */
  readonly onAnalyzed: (analysed: ReadyCapture | null) => void;
  /** The capture is in another state now. */
  readonly onChanged: () => void;
}

/** A capture whose analysis runs or failed. */
export function UnreadyCapture({ capture, onAnalyzed, onChanged }: Props): ReactNode {
  if (capture.state === "failed") return <FailedCapture capture={capture} />;
  const onDone = (analysed: ReadyCapture | null): void => {
    onAnalyzed(analysed);
    onChanged();
  };
  return <ProgressScreen capture={capture} onDone={onDone} onCancelled={onChanged} />;
}

/** Reason why the analysis ended without a result, and the way back to the files. */
function FailedCapture({ capture }: { capture: Capture }): ReactNode {
  const change = (): void => {
    void useDraft.getState().open(capture.id);
    navigate("/");
  };
  return (
    <Page title={capture.name} what={<CaptureTitle capture={capture} />}>
      <Message title={texts.filesCouldNot} detail={capture.problem?.detail ?? texts.reasonIsNotKnown}>
        <Button kind="primary" size="large" onClick={change}>
          {texts.changeTheFiles}
        </Button>
        <Button size="large" onClick={() => navigate("/")}>
          {texts.allCaptures}
        </Button>
      </Message>
    </Page>
  );
}
