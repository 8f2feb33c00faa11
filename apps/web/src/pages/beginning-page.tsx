import { type ReactNode, useEffect, useMemo } from "react";
import { Redirect } from "wouter";
import { beginningAddress, captureAddress } from "../data/capture-address.ts";
import { captureById } from "../data/captures-client.ts";
import { useAnswer } from "../data/use-answer.ts";
import type { LazyScreen } from "../frame/lazy-screen.tsx";
import type { CaptureTab } from "../screens/capture-context.ts";
import { AnalysedCapture } from "./analysed-capture.tsx";
import { NoCapture } from "./no-capture.tsx";

interface Props {
  readonly id: string;
  readonly tab: CaptureTab;
  /** What the tab shows. */
  readonly Screen: LazyScreen;
}

/** What is complete of a capture while its analysis runs, to look at only; then the whole has the address. */
export function BeginningPage({ id, tab, Screen }: Props): ReactNode {
  const { value: capture, error, retry } = useAnswer(captureById(id));
  const address = useMemo(() => beginningAddress(id), [id]);
  useEffect(() => Screen.loadAhead(), [Screen]);
  if (error !== null || capture === null) return <NoCapture error={error} onRetry={retry} />;
  if (capture.state !== "analysing") {
    const { page } = captureAddress(id);
    return (
      <Redirect to={`${tab === "overview" ? page : `${page}/${tab}`}${window.location.search}`} replace />
    );
  }
  return (
    <AnalysedCapture address={address} name={capture.name} canChange={false} tab={tab} onDamage={null}>
      <Screen />
    </AnalysedCapture>
  );
}
