import { type ReactNode, useEffect, useMemo, useState } from "react";
import type { Capture } from "@aglens/contract";
import { navigate } from "../state/navigate.ts";
import { mayChangeCapture } from "../data/access-client.ts";
import { captureAddress } from "../data/capture-address.ts";
import { captureById } from "../data/captures-client.ts";
import { useAnswer } from "../data/use-answer.ts";
import { useAccount } from "../state/account.ts";
import type { LazyScreen } from "../frame/lazy-screen.tsx";
import { Message, Page } from "../frame/page.tsx";
import type { CaptureTab } from "../screens/capture-context.ts";
import { CaptureTitle } from "../screens/captures/capture-title.tsx";
import { CapturesScreen } from "../screens/captures/captures-screen.tsx";
import { DamageScreen } from "../screens/captures/damage-screen.tsx";
import { damagedFiles } from "../screens/captures/damage.ts";
import { useDraft } from "../screens/captures/draft.ts";
import { ProgressScreen } from "../screens/captures/progress-screen.tsx";
import { Button } from "../ui/controls.tsx";
import { KeepKeys } from "../ui/keys.ts";
import { AnalysedCapture } from "./analysed-capture.tsx";

interface Props {
  readonly id: string;
  readonly tab: CaptureTab;
  /** What the tab shows once the capture is analysed. */
  readonly Screen: LazyScreen;
}

/** One capture, whatever state it is in: files coming, analysis running, damaged, failed, or ready to look at. */
export function CapturePage({ id, tab, Screen }: Props): ReactNode {
  const { value: capture, error, retry } = useAnswer(captureById(id));
  const address = useMemo(() => captureAddress(id), [id]);
  const person = useAccount()?.person ?? null;
  useEffect(() => Screen.loadAhead(), [Screen]);
  /** Damage is shown to those who watched the analysis end, and later by the chip in the replica strip. */
  const [showsDamage, setShowsDamage] = useState(false);
  if (error !== null) {
    return (
      <Page title="Capture">
        <Message title="This capture cannot be opened." detail={error} onRetry={retry} />
      </Page>
    );
  }
  if (capture === null) {
    return (
      <Page title="">
        <KeepKeys />
      </Page>
    );
  }
  if (capture.state === "receiving") return <CapturesScreen draftId={id} onStarted={retry} />;
  if (capture.state === "analysing") {
    const onDone = (): void => {
      setShowsDamage(true);
      retry();
    };
    return <ProgressScreen capture={capture} onDone={onDone} onCancelled={retry} />;
  }
  if (capture.state === "failed") return <FailedCapture capture={capture} />;
  if (showsDamage && damagedFiles(capture).length > 0) {
    return <DamageScreen capture={capture} onOpen={() => setShowsDamage(false)} onChanged={retry} />;
  }
  return (
    <AnalysedCapture
      address={address}
      name={capture.name}
      canChange={mayChangeCapture(person, capture)}
      tab={tab}
      onDamage={() => setShowsDamage(true)}
    >
      <Screen />
    </AnalysedCapture>
  );
}

/** Why the analysis ended without a result, and the way back to the files. */
function FailedCapture({ capture }: { capture: Capture }): ReactNode {
  const change = (): void => {
    void useDraft.getState().open(capture.id);
    navigate("/");
  };
  return (
    <Page title={capture.name} what={<CaptureTitle capture={capture} />}>
      <Message
        title="The files could not be analysed."
        detail={capture.problem?.detail ?? "The reason is not known."}
      >
        <Button kind="primary" size="large" onClick={change}>
          Change the files
        </Button>
        <Button size="large" onClick={() => navigate("/")}>
          All captures
        </Button>
      </Message>
    </Page>
  );
}
