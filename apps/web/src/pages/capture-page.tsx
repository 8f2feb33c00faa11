import { type ReactNode, useEffect, useMemo, useState } from "react";
import type { ReadyCapture } from "@aglens/contract";
import { mayChangeCapture } from "../data/access-client.ts";
import { openAhead } from "../data/ask-ahead.ts";
import { captureAddress, useForgetAnswers } from "../data/capture-address.ts";
import { captureById } from "../data/captures-client.ts";
import { useAnswer } from "../data/use-answer.ts";
import { type LazyScreen, lazyScreen } from "../frame/lazy-screen.tsx";
import { Message, Page } from "../frame/page.tsx";
import { pagesTexts as texts } from "../messages/pages.ts";
import type { CaptureTab } from "../screens/capture-view/capture-context.ts";
import { damagedFiles } from "../screens/captures/damage.ts";
import { useAccount } from "../state/account.ts";
import { KeepKeys } from "../ui/keys.ts";
import { AnalyzedCapture } from "./analyzed-capture.tsx";
import { UploadsScreen } from "./uploads-screen.ts";

/** Code that a link to an analyzed capture does not need. */
const UnreadyCapture = lazyScreen(async () => (await import("./unready-capture.tsx")).UnreadyCapture);
const DamageScreen = lazyScreen(
  async () => (await import("../screens/captures/damage-screen.tsx")).DamageScreen,
);

interface Props {
  readonly id: string;
  readonly tab: CaptureTab;
  /** Screen of the tab once the capture is analyzed. */
  readonly Screen: LazyScreen;
}

/** One capture in any state: receiving files, analysis running, damaged, failed, or ready. */
export function CapturePage({ id, tab, Screen }: Props): ReactNode {
  const { value: capture, error, retry } = useAnswer(captureById(id));
  const address = useMemo(() => captureAddress(id), [id]);
  const forget = useForgetAnswers();
  const person = useAccount()?.person ?? null;
  useEffect(() => Screen.loadAhead(), [Screen]);
  /** Damage is shown to users who watched the analysis end, and later by the chip in the replica strip. */
  const [showsDamage, setShowsDamage] = useState(false);
  if (error !== null || capture === null) return <NoCapture error={error} onRetry={retry} />;
  if (capture.state === "receiving") return <UploadsScreen draftId={id} onStarted={retry} />;
  if (capture.state !== "ready") {
    const onAnalyzed = (analysed: ReadyCapture | null): void => {
      forget(address);
      if (analysed !== null) openAhead(analysed, tab === "overview");
      setShowsDamage(true);
    };
    return <UnreadyCapture capture={capture} onAnalyzed={onAnalyzed} onChanged={retry} />;
  }
  if (showsDamage && damagedFiles(capture).length > 0) {
    return <DamageScreen capture={capture} onOpen={() => setShowsDamage(false)} onChanged={retry} />;
  }
  return (
    <AnalyzedCapture
      address={address}
      name={capture.name}
      canChange={mayChangeCapture(person, capture)}
      tab={tab}
      hasEvidence={capture.files.some(({ kind }) => kind === "evidence")}
      tags={capture.tags ?? []}
      onChanged={retry}
      onDamage={() => setShowsDamage(true)}
    >
      <Screen />
    </AnalyzedCapture>
  );
}

interface NoCaptureProps {
  /** A sentence; null while the capture is on its way. */
  readonly error: string | null;
  readonly onRetry: () => void;
}

/** Replacement for a capture that cannot be loaded, or is still loading. */
function NoCapture({ error, onRetry }: NoCaptureProps): ReactNode {
  return error === null ? (
    <Page title="">
      <KeepKeys />
    </Page>
  ) : (
    <Page title={texts.capture}>
      <Message title={texts.thisCaptureCannot} detail={error} onRetry={onRetry} />
    </Page>
  );
}
