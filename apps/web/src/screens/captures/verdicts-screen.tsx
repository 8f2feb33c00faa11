import { type ReactNode, useEffect, useRef } from "react";
import type { Capture } from "@aglens/contract";
import { captureAddress } from "../../data/capture-address.ts";
import { cancelAnalysis, capturesById } from "../../data/captures-client.ts";
import { httpSource } from "../../data/http-source.ts";
import { isLocalId } from "../../data/local-server.ts";
import { useAnswer } from "../../data/use-answer.ts";
import { useCommand } from "../../data/use-command.ts";
import { TextLink } from "../../frame/app-bar.tsx";
import { Message, Page } from "../../frame/page.tsx";
import { Problem } from "../../frame/problem.tsx";
import { StartPage } from "../../frame/start-page.tsx";
import { capturesTexts as texts } from "../../messages/captures.ts";
import { navigate } from "../../state/navigate.ts";
import { Button } from "../../ui/controls.tsx";
import { KeepKeys } from "../../ui/keys.ts";
import { capitalised } from "../../ui/words.ts";
import { AnalyzedCard } from "./capture-card.tsx";
import { groupsOf } from "./capture-groups.ts";
import { phaseText } from "./progress/analysis-steps.tsx";
import { waitingText } from "./progress/progress-text.ts";
import { useExpectedTime } from "./progress/use-expected-time.ts";
import { VerdictLine } from "./verdict-line.tsx";
import { slowestFirst, verdictText } from "./verdict-text.ts";
import styles from "./verdicts-screen.module.css";

/** Interval between requests for captures that are being analyzed, ms. */
const ANALYZING_MS = 1_000;

/** Several captures of one upload: the progress of their analyses, then their verdicts. */
export function VerdictsScreen({ ids }: { readonly ids: readonly string[] }): ReactNode {
  const { value: captures, error, retry } = useAnswer(capturesById(ids));
  const isRunning = (captures ?? []).some(({ state }) => state === "analysing");
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(retry, ANALYZING_MS);
    return () => clearInterval(timer);
  }, [isRunning, retry]);
  return (
    <Page
      title={captures === null ? "" : texts.captures(captures.length)}
      actions={<TextLink href="/captures">{texts.allCaptures}</TextLink>}
      status={texts.readsXelWithoutSql}
    >
      {error !== null ? (
        <Message title={texts.cantOpenTheseCaptures} detail={error} onRetry={retry} />
      ) : captures === null ? (
        <KeepKeys />
      ) : isRunning ? (
        <Running captures={captures} onChanged={retry} />
      ) : (
        <Verdicts captures={captures} />
      )}
    </Page>
  );
}

interface RunningProps {
  readonly captures: readonly Capture[];
  readonly onChanged: () => void;
}

function Running({ captures, onChanged }: RunningProps): ReactNode {
  const cancel = useCommand(async () => {
    const running = captures.filter(({ state }) => state === "analysing");
    // An analysis that ends in the meantime has nothing to cancel.
    await Promise.allSettled(running.map(({ id }) => cancelAnalysis(id)));
    onChanged();
  });
  return (
    <StartPage title={texts.analyzingCaptures(captures.length)} lead={texts.verdictsAppearHereWhen}>
      {captures.map((capture) => (
        <CaptureProgress key={capture.id} capture={capture} />
      ))}
      <div className={styles.below}>
        <Button size="large" onClick={() => cancel.run()}>
          {texts.stopAnalysis}
        </Button>
      </div>
      <Problem sentence={cancel.error} />
    </StartPage>
  );
}

function CaptureProgress({ capture }: { readonly capture: Capture }): ReactNode {
  const { progress, name, state } = capture;
  const { time, onProgress } = useExpectedTime(progress, isLocalId(capture.id));
  const listener = useRef(onProgress);
  useEffect(() => {
    listener.current = onProgress;
  });
  useEffect(() => {
    if (progress !== null) listener.current(progress);
  }, [progress]);
  const share = state === "analysing" ? (time?.share ?? 0) : 1;
  const doing = waitingText(progress) ?? capitalised(phaseText(progress?.phase ?? "waiting"));
  const words =
    state !== "analysing" ? verdictText(capture) : time === null ? doing : `${doing}, ${percentOf(share)}`;
  return groupsOf(capture).map((files) => (
    <AnalyzedCard key={capture.id} files={files}>
      <div className={styles.progress}>
        <progress aria-label={texts.analyzed(name)} max={1} value={share} />
        <span>{words}</span>
      </div>
    </AnalyzedCard>
  ));
}

const percentOf = (share: number): string => `${Math.floor(100 * share)}\u2009%`;

/** Slowest first; the first one has the focus, so that Enter opens it. */
function Verdicts({ captures }: { readonly captures: readonly Capture[] }): ReactNode {
  const list = useRef<HTMLUListElement>(null);
  const ready = captures.filter(({ state }) => state === "ready");
  const { value: p95s } = useAnswer(ready.length === 0 ? null : p95sOf(ready.map(({ id }) => id)));
  const isKnown = ready.length === 0 || p95s !== null;
  useEffect(() => {
    if (isKnown) list.current?.querySelector("button")?.focus();
  }, [isKnown]);
  if (!isKnown) return <KeepKeys />;
  const [first, second, ...more] = ready;
  return (
    <StartPage
      title={
        ready.length === captures.length
          ? texts.capturesAnalyzed(ready.length)
          : texts.ofCapturesAnalyzed(ready.length, captures.length)
      }
      lead={texts.slowestCaptureIsFirst}
    >
      <ul ref={list} className={styles.verdicts}>
        {slowestFirst(captures, p95s ?? new Map()).map((capture) => (
          <VerdictLine
            key={capture.id}
            name={<b>{capture.name}</b>}
            note={serversOf(capture)}
            words={verdictText(capture)}
            p95Us={p95s?.get(capture.id) ?? null}
          >
            <Button aria-label={texts.open(capture.name)} onClick={() => navigate(`/captures/${capture.id}`)}>
              {texts.openLabel}
            </Button>
          </VerdictLine>
        ))}
      </ul>
      <div className={styles.below}>
        {first === undefined || second === undefined || more.length > 0 ? null : (
          <Button size="large" onClick={() => navigate(`/captures/${first.id}/compare?versus=${second.id}`)}>
            {texts.compareBoth}
          </Button>
        )}
        <Button size="large" onClick={() => navigate("/")}>
          {texts.addFiles}
        </Button>
      </div>
    </StartPage>
  );
}

/** The p95 of commit latency of each capture, µs. */
const p95sOf = (ids: readonly string[]) => ({
  key: `p95 of ${ids.join()}`,
  ask: async (signal: AbortSignal): Promise<ReadonlyMap<string, number | null>> =>
    new Map(
      await Promise.all(
        ids.map(async (id) => {
          const { commits } = await httpSource(captureAddress(id)).summary().ask(signal);
          return [id, commits.latency.p95] as const;
        }),
      ),
    ),
});

const serversOf = (capture: Capture): string =>
  groupsOf(capture)
    .flatMap(({ servers }) => servers.map(({ name }) => name))
    .join(", ");
