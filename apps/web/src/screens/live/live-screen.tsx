import { type ReactNode, useCallback, useMemo } from "react";
import { useSearch } from "wouter";
import { useCopy } from "../../frame/copy.tsx";
import { KeyHint } from "../../frame/key-hint.tsx";
import { PageTitle } from "../../frame/page-title.tsx";
import { Message, Page } from "../../frame/page.tsx";
import { Problem } from "../../frame/problem.tsx";
import laneFrame from "../lane-view/lane-frame.module.css";
import { useTimeChoice } from "../../frame/times-choice.tsx";
import { liveTexts as texts } from "../../messages/live.ts";
import { navigate, openPath } from "../../state/navigate.ts";
import { useKeys } from "../../ui/keys.ts";
import type { CaptureTime } from "../../ui/words.ts";
import { ticksOf } from "../../ui/zone.ts";
import { CLOCKS, timeChoices, zoneOf } from "../capture-view/zones.ts";
import { nextDatabase } from "./database-filter.tsx";
import { LiveLanes } from "./live-lanes.tsx";
import { type LiveRun, LiveRunContext, useLiveRun } from "./live-run-context.ts";
import styles from "./live-screen.module.css";
import { LiveStrip } from "./live-strip.tsx";
import { decodeLiveView, encodeLiveView, type LiveView } from "./live-view.ts";
import { Readouts } from "./readouts.tsx";
import { RunActions } from "./run-actions.tsx";
import { NoLanesYet, RunEnded } from "./run-states.tsx";
import { attachedText, elapsedText } from "./run-text.ts";
import { SidePane } from "./sessions.tsx";
import { useAlarm } from "./use-alarm.ts";
import { useHeldView } from "./use-held-view.ts";
import { useRunControl } from "./use-run-control.ts";
import type { LiveState } from "./picture.ts";
import { useRun } from "./use-run.ts";

const STEP_US = 5e6;

/** A run in progress: lanes that fill towards now, the verdict so far, the sessions on the replicas. */
export function LiveScreen({ id }: { readonly id: string }): ReactNode {
  const [notice, copy, show] = useCopy();
  const { control, isEnding, error, ...commands } = useRunControl(id, (captureId) =>
    show(captureId === null ? texts.noEventsArrived : texts.last5Min),
  );
  const { mark } = commands;
  const [{ database, gaugeChoice, time }, setView] = useLiveView();
  const { state, trouble, gone, readNow } = useRun(id, control, database);
  const times = useTimeChoice(timeChoices(timeOf(state), CLOCKS), time, (chosen) =>
    setView({ time: chosen }),
  );
  const alarm = useAlarm(id, control, state);
  const { follow, ...view } = useHeldView(readNow);
  const isRunning = state !== null && state.state !== "stopped" && state.state !== "stopping" && !isEnding;
  const share = (): void => copy(window.location.href, texts.linkCopiedAnyoneWho, texts.toUseTheAddressBar);
  const chooseDatabase = (name: string | null): void => setView({ database: name });
  const databases = state?.databases ?? [];
  const step = (by: 1 | -1) => (): void => chooseDatabase(nextDatabase(databases, database, by));
  useKeys({
    ...(state === null ? {} : { hold: view.toggleHold }),
    ...(databases.length > 1 ? { nextDatabase: step(1), previousDatabase: step(-1) } : {}),
    ...(control !== null && isRunning ? { mark, keepLast: commands.keepLast } : {}),
    timeFormat: times.next,
    copyLink: share,
    panLeft: () => view.pan(STEP_US),
    panRight: () => view.pan(-STEP_US),
    back: follow,
  });
  if (state === null) return <NoPicture trouble={trouble} gone={gone} />;
  const run: LiveRun = {
    id,
    state,
    clock: { ...timeOf(state), zone: zoneOf(times.time, state) },
    times,
    canControl: control !== null,
    isRunning,
    readNow,
    ...view,
    ...commands,
    share,
    alarm,
    gaugeChoice,
    chooseGauge: (key, isShown) => setView({ gaugeChoice: { ...gaugeChoice, [key]: isShown } }),
    database,
    chooseDatabase,
  };
  return (
    <LiveRunContext value={run}>
      <RunFrame notice={notice} problems={[gone ?? trouble, error]} />
    </LiveRunContext>
  );
}

/** The time of a run, and the servers by whose clocks it can be shown. */
const timeOf = (state: LiveState | null): CaptureTime & Pick<LiveState, "replicas"> => ({
  originTicks: String(ticksOf(state?.origin ?? "")),
  durationUs: state?.now ?? 0,
  replicas: state?.replicas ?? [],
});

/** State before the first picture: it is pending, or will never arrive. */
function NoPicture({
  trouble,
  gone,
}: {
  readonly trouble: string | null;
  readonly gone: string | null;
}): ReactNode {
  if (gone !== null)
    return (
      <Page title={texts.live}>
        <Message title={texts.cantOpenThisRun} detail={gone} />
      </Page>
    );
  return (
    <Page title={texts.live} what={<PageTitle name="Live" />}>
      <Message title={texts.attaching} detail={trouble ?? texts.firstPictureArrivesWithin}>
        {null}
      </Message>
    </Page>
  );
}

interface FrameProps {
  readonly notice: string;
  readonly problems: readonly (string | null)[];
}

function RunFrame({ notice, problems }: FrameProps): ReactNode {
  const { state } = useLiveRun();
  return (
    <Page
      title={texts.livePart(state.title)}
      what={<PageTitle name={state.title} note={attachedText(state.replicas, state.unattached.length)} />}
      actions={<RunActions />}
      strip={<LiveStrip />}
      status={<RunStatus />}
      statusRight={texts.theseEventsDontMeasure}
      notice={notice}
    >
      <div className={`${laneFrame.page} ${styles.page}`}>
        <h1 className="sr-only">{texts.livePart(state.title)}</h1>
        <div className={laneFrame.main}>
          <Readouts readouts={state.readouts} judged={state.judged} now={state.now} />
          <div className={laneFrame.problems}>
            {problems.map((sentence, i) => (
              <Problem key={i === 0 ? "line" : "command"} sentence={sentence} />
            ))}
          </div>
          {state.state === "stopped" ? <RunEnded /> : null}
          {state.lanes.length === 0 ? <NoLanesYet /> : null}
          <LiveLanes />
        </div>
        <SidePane />
      </div>
    </Page>
  );
}

function RunStatus(): ReactNode {
  const { state, heldAt } = useLiveRun();
  if (state.state === "stopped") return <span>{texts.runHasEnded}</span>;
  return (
    <>
      <span>
        {heldAt === null
          ? texts.followingNow
          : texts.pausedBeforeNowRecording(elapsedText(Math.max(0, state.now - heldAt)))}
      </span>
      <KeyHint keys={["Space"]}>{heldAt === null ? texts.pauseRecordingContinues : texts.followNow}</KeyHint>
      <KeyHint keys={["A", "D"]}>{texts.lookBack}</KeyHint>
    </>
  );
}

/** The view in the address, and the only function that changes it. */
export function useLiveView(): [LiveView, (change: Partial<LiveView>) => void] {
  const search = useSearch();
  const view = useMemo(() => decodeLiveView(search), [search]);
  const setView = useCallback((change: Partial<LiveView>) => {
    // From the address, not from the last render: two changes in one event must not undo each other.
    const query = encodeLiveView({ ...decodeLiveView(window.location.search), ...change });
    navigate(query === "" ? openPath() : `${openPath()}?${query}`, {
      replace: true,
    });
  }, []);
  return [view, setView];
}
