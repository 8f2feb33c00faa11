import { type CSSProperties, type ReactNode, useCallback, useMemo, useState } from "react";
import { navigate } from "wouter/use-browser-location";
import type { LiveReplica } from "@aglens/contract";
import { clockLabel } from "../../charts/axis.ts";
import { RunStrip } from "../../charts/live/run-strip.tsx";
import { useTokens } from "../../lanes/palette.ts";
import { forcedTokens } from "../../charts/timeline/forced-colours.ts";
import { stackLanes } from "../../charts/timeline/heights.ts";
import { liveLanes, type Lane } from "../../lanes/lanes.ts";
import { markRun, readRun, stopRun } from "../../data/live-client.ts";
import { sentenceOf } from "../../data/problem.ts";
import { Button, Kbd } from "../../ui/controls.tsx";
import { useKeys } from "../../ui/keys.ts";
import { Message, Page } from "../../frame/page.tsx";
import { useCopy } from "../../frame/use-copy.ts";
import { useMedia } from "../../ui/use-media.ts";
import { useSize } from "../../ui/use-size.ts";
import { controlOf, forgetControl } from "./control.ts";
import { gaugesOf, scaleTop } from "./gauges.ts";
import { laneEnds, laneGaps, secondaryOf } from "./lane-times.ts";
import { LiveGutter, LiveMargin, type PlacedGauge } from "./live-gutter.tsx";
import { LivePlot, type PlotScene } from "./live-plot.tsx";
import { LiveStrip } from "./live-strip.tsx";
import { originDayOf } from "./origin.ts";
import { KEPT_US, type LiveState } from "./picture.ts";
import { Readouts } from "./readouts.tsx";
import { SidePane } from "./sessions.tsx";
import { useRun } from "./use-run.ts";
import "../../charts/timeline/timeline.css";
import "./live.css";

const WINDOW_US = 30e6;
const GAUGE_PX = 25;
const GAUGE_GAP_PX = 3;
const RULE_PX = 10;
const AXIS_PX = 36;
const STRIP_PX = 30;
const STRIP_ROW_PX = 43;
/** Later than this a secondary's lanes say why they end early, s. */
const LATE_S = 0.5;
const STEP_US = 5e6;

/** A run as it goes on: lanes fill towards now, the verdict so far, the sessions on the replicas. */
export function LiveScreen({ id }: { readonly id: string }): ReactNode {
  const [control] = useState(() => controlOf(id));
  const { state, trouble, gone, readNow } = useRun(id, control);
  const [heldAt, setHeldAt] = useState<number | null>(null);
  const [notice, copy] = useCopy();
  const [problem, setProblem] = useState<string | null>(null);
  const [ending, setEnding] = useState(false);
  const running = state !== null && state.state !== "stopped" && state.state !== "stopping" && !ending;

  const hold = useCallback(() => setHeldAt((at) => (at === null ? readNow() : null)), [readNow]);
  const pan = useCallback(
    (us: number) =>
      setHeldAt((at) => {
        const now = readNow();
        const next = (at ?? now) - us;
        return next >= now ? null : Math.max(next, now - KEPT_US + WINDOW_US);
      }),
    [readNow],
  );
  const mark = useCallback(() => {
    if (control === null) return;
    markRun(id, control, "").catch((error: unknown) => setProblem(sentenceOf(error)));
  }, [id, control]);
  const stop = useCallback(
    async (keep: boolean) => {
      if (control === null) return;
      setEnding(true);
      setProblem(null);
      try {
        const captureId = await stopRun(id, control, keep);
        forgetControl(id);
        // What could not be dropped has to be read first; the last picture tells it.
        if (captureId !== null && (await isAllDropped(id))) navigate(`/captures/${captureId}`);
      } catch (error) {
        setProblem(sentenceOf(error));
        setEnding(false);
      }
    },
    [id, control],
  );
  const share = (): void =>
    copy(window.location.href, "Link copied. Whoever has it can look on, no more.", "use the address bar");
  useKeys({
    ...(state === null ? {} : { hold }),
    ...(control !== null && running ? { mark } : {}),
    copyLink: share,
    panLeft: () => pan(STEP_US),
    panRight: () => pan(-STEP_US),
    back: () => setHeldAt(null),
  });

  if (gone !== null && state === null)
    return (
      <Page title="Live">
        <Message title="This run cannot be opened." detail={gone} />
      </Page>
    );
  if (state === null)
    return (
      <Page title="Live" what={<b>Live</b>}>
        <Message title="Attaching." detail={trouble ?? "The first picture comes within a few seconds."}>
          {null}
        </Message>
      </Page>
    );
  return (
    <Page
      title={`${state.title}, live`}
      what={
        <>
          <b title={state.title}>{state.title}</b>
          <span className="quiet lv-attached">{attachedWords(state.replicas)}</span>
        </>
      }
      actions={
        <Actions
          state={state}
          canControl={control !== null}
          running={running}
          held={heldAt !== null}
          onHold={hold}
          onMark={mark}
          onShare={share}
          onStop={(keep) => void stop(keep)}
        />
      }
      strip={<LiveStrip state={state} />}
      status={<StatusLeft heldAt={heldAt} state={state} />}
      statusRight="Readouts: last 5 s. Redo is not measured by these events"
      notice={notice}
    >
      <div className="tl lv">
        <div className="tl-main">
          <Readouts readouts={state.readouts} />
          <div aria-live="polite">
            {[gone ?? trouble, problem].map((sentence, i) =>
              sentence === null ? null : (
                <p key={i === 0 ? "line" : "problem"} className="tl-error">
                  {sentence}
                </p>
              ),
            )}
          </div>
          {state.state === "stopped" ? <Stopped state={state} /> : null}
          {state.lanes.length === 0 ? <Waiting state={state} /> : null}
          <Lanes state={state} heldAt={heldAt} readNow={readNow} onPan={pan} />
        </div>
        <SidePane state={state} canControl={control !== null} />
      </div>
    </Page>
  );
}

function attachedWords(replicas: readonly LiveReplica[]): string {
  const attached = replicas.filter((replica) => replica.state !== "failed").length;
  const all = replicas.length === 1 ? "1 replica" : `${replicas.length} replicas`;
  return attached === replicas.length ? `attached to ${all}` : `attached to ${attached} of ${all}`;
}

/** True when the run left no session behind, as far as it can be told. */
async function isAllDropped(id: string): Promise<boolean> {
  try {
    const { replicas } = await readRun(id);
    return replicas.every(
      ({ ownSession, state }) => !ownSession || state === "dropped" || state === "failed",
    );
  } catch {
    return true;
  }
}

/** `01:18`, from one hour on `1:02:03`. */
export function elapsedText(us: number): string {
  const seconds = Math.max(0, Math.floor(us / 1e6));
  const part = (value: number): string => String(value).padStart(2, "0");
  const minutes = `${part(Math.floor(seconds / 60) % 60)}:${part(seconds % 60)}`;
  return seconds < 3600 ? minutes : `${Math.floor(seconds / 3600)}:${minutes}`;
}

const STATE_WORDS: Readonly<Record<LiveState["state"], string>> = {
  attaching: "Attaching",
  running: "Recording",
  stopping: "Stopping",
  stopped: "Stopped",
};

interface ActionsProps {
  readonly state: LiveState;
  readonly canControl: boolean;
  readonly running: boolean;
  readonly held: boolean;
  readonly onHold: () => void;
  readonly onMark: () => void;
  readonly onShare: () => void;
  readonly onStop: (keep: boolean) => void;
}

function Actions(props: ActionsProps): ReactNode {
  const { state, canControl, running, held } = props;
  const [asked, setAsked] = useState(false);
  const recording = (
    <span className={`lv-recording ${state.state}`}>
      <i aria-hidden="true" />
      {STATE_WORDS[state.state]} <b>{elapsedText(state.now)}</b>
    </span>
  );
  // Nothing is left to steer; what can be opened now is said above the lanes.
  if (state.state === "stopped") return recording;
  return (
    <>
      {recording}
      <Button aria-pressed={held} onClick={props.onHold}>
        {held ? "Follow now" : "Pause view"} <Kbd>Space</Kbd>
      </Button>
      {canControl ? (
        <Button disabled={!running} onClick={props.onMark}>
          Mark <Kbd>m</Kbd>
        </Button>
      ) : null}
      <Button onClick={props.onShare}>Share</Button>
      {!canControl ? <span className="chip none">Read only</span> : null}
      {canControl ? (
        <Button
          disabled={!running}
          onBlur={() => setAsked(false)}
          onClick={() => (asked ? props.onStop(false) : setAsked(true))}
        >
          {asked ? "Discard for good" : "Stop and discard"}
        </Button>
      ) : null}
      {canControl ? (
        <Button kind="primary" disabled={!running} onClick={() => props.onStop(true)}>
          Stop and keep
        </Button>
      ) : null}
    </>
  );
}

function StatusLeft({ heldAt, state }: { heldAt: number | null; state: LiveState }): ReactNode {
  if (state.state === "stopped") return <span>The run has ended</span>;
  return (
    <>
      <span>
        {heldAt === null
          ? "Following now"
          : `Held ${elapsedText(Math.max(0, state.now - heldAt))} behind now, recording continues`}
      </span>
      <span className="tl-keys">
        <Kbd>Space</Kbd> {heldAt === null ? "hold the view, recording continues" : "follow now"}
      </span>
      <span className="tl-keys">
        <Kbd>A</Kbd> <Kbd>D</Kbd> look back
      </span>
    </>
  );
}

/** How the run ended, on every replica, and where to go on. */
function Stopped({ state }: { state: LiveState }): ReactNode {
  const { captureId, endings } = state;
  return (
    <section className="lv-stopped" aria-label="The run has ended">
      <div>
        <p>
          <b>The run has ended.</b> {captureId === null ? "It was not kept." : "It is a capture now."}
        </p>
        <ul>
          {endings.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </div>
      {captureId === null ? (
        <Button onClick={() => navigate("/")}>All captures</Button>
      ) : (
        <Button kind="primary" onClick={() => navigate(`/captures/${captureId}`)}>
          Open the capture
        </Button>
      )}
    </section>
  );
}

/** Before the first log block there is nothing to draw; say what is waited for. */
function Waiting({ state }: { state: LiveState }): ReactNode {
  const reading = state.replicas.some((replica) => replica.state === "reading");
  return (
    <p className="lv-waiting">
      {reading
        ? "The sessions are read, and no log block has come yet. Lanes appear with the first commit of a database in the group."
        : "The sessions are being made. Lanes appear with the first commit of a database in the group."}
    </p>
  );
}

interface LanesProps {
  readonly state: LiveState;
  readonly heldAt: number | null;
  readonly readNow: () => number;
  readonly onPan: (us: number) => void;
}

function Lanes({ state, heldAt, readNow, onPan }: LanesProps): ReactNode {
  const [measure, { height: available }] = useSize<HTMLDivElement>();
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>({});
  const forced = useMedia("(forced-colors: active)");
  const read = useTokens();
  const tokens = useMemo(() => (forced ? forcedTokens(read) : read), [forced, read]);
  const lanes = useMemo(() => drawnLanes(state), [state]);
  const gauges = useMemo(() => gaugesOf(state.replicas, state.polls), [state]);
  const gaugesPx = gauges.length === 0 ? 0 : RULE_PX + gauges.length * (GAUGE_PX + GAUGE_GAP_PX);
  const stack = useMemo(
    () => stackLanes(lanes, chosen, 0, available - AXIS_PX - STRIP_ROW_PX - gaugesPx),
    [lanes, chosen, available, gaugesPx],
  );
  const placed = useMemo(
    () =>
      gauges.map((gauge, i): PlacedGauge => ({
        gauge,
        top: stack.height + RULE_PX / 2 + i * (GAUGE_PX + GAUGE_GAP_PX),
        height: GAUGE_PX,
        scale: scaleTop(gauge.steps, state.now - WINDOW_US, state.now),
      })),
    [gauges, stack.height, state.now],
  );
  const scene = useMemo(
    (): PlotScene => ({
      tokens,
      patterns: forced,
      boxes: stack.boxes,
      height: stack.height + gaugesPx,
      bins: state.bins,
      gauges: placed.map(({ gauge, ...box }) => ({ ...box, colour: gauge.colour, steps: gauge.steps })),
      ends: laneEnds(state.lanes, state.replicas, state.decodedTo, state.now),
      remarks: remarksOf(lanes, state),
      gaps: laneGaps(state.lanes, state.replicas, state.gaps),
      marks: [...state.marks, ...state.roleChanges],
    }),
    [tokens, forced, stack, gaugesPx, state, placed, lanes],
  );
  const toggle = (lane: Lane, tall: boolean): void => setChosen((now) => ({ ...now, [lane.key]: tall }));
  useKeys({
    lane: (event) => {
      const box = stack.boxes[Number(event.key) - 1];
      if (box) toggle(box.lane, !box.tall);
    },
  });
  const stopped = state.state === "stopped";
  return (
    <div
      ref={measure}
      className="tl-lanes lv-lanes"
      style={{ "--lanes": `${stack.height}px` } as CSSProperties}
    >
      <LivePlot
        scene={scene}
        windowUs={WINDOW_US}
        originDay={originDayOf(state.origin)}
        heldAt={stopped ? (heldAt ?? state.now) : heldAt}
        readNow={readNow}
        summary={summaryOf(state)}
        onDrag={onPan}
        head={
          <div className="tl-axis-base">
            <span>Last 30 s</span>
            <i>p50</i>
            <i>p95</i>
          </div>
        }
        gutter={<LiveGutter boxes={stack.boxes} gauges={placed} figures={state.figures} onLane={toggle} />}
        margin={<LiveMargin boxes={stack.boxes} gauges={placed} />}
      />
      <WholeRun state={state} heldAt={heldAt} />
    </div>
  );
}

/** All of the run in one strip; it stands still while the lanes move. */
function WholeRun({ state, heldAt }: Pick<LanesProps, "state" | "heldAt">): ReactNode {
  const at = heldAt ?? state.now;
  const view = useMemo((): [number, number] => [at - WINDOW_US, at], [at]);
  const gaps = useMemo(
    () => state.gaps.map((gap): [number, number] => [gap.from, gap.to ?? state.now]),
    [state],
  );
  return (
    <div className="lv-run-strip">
      <span>
        <b>Whole run</b>
        <i>slowest commit, by place</i>
      </span>
      <RunStrip
        bins={state.overview}
        now={state.now}
        view={view}
        gaps={gaps}
        marks={state.marks}
        height={STRIP_PX}
        label={`The whole run, ${elapsedText(state.now)} long: the slowest commit over time, coloured by the place that took most.`}
      />
    </div>
  );
}

function drawnLanes(state: LiveState): Lane[] {
  return liveLanes(state.lanes, (secondary) => {
    const clock = state.clocks.find((each) => each.secondary === secondary);
    return {
      asynchronous: secondaryOf(state.lanes, state.replicas, secondary)?.commitMode === "async",
      leastRoundTripUs: clock?.minNetworkRoundTripUs ?? Number.NaN,
    };
  });
}

/** Why a secondary's lane ends before now: its buffer is not here yet, or its connection is lost. */
function remarksOf(lanes: readonly Lane[], state: LiveState): Map<string, string> {
  const remarks = new Map<string, string>();
  for (const lane of lanes) {
    if (lane.figure !== "secondaryFlush") continue;
    const replica = secondaryOf(state.lanes, state.replicas, lane.secondary);
    const words = replica === undefined ? null : remarkOf(replica);
    if (words !== null) remarks.set(lane.key, words);
  }
  return remarks;
}

function remarkOf(replica: LiveReplica): string | null {
  if (replica.state === "waiting") return `${replica.name}: connection lost`;
  if (replica.state !== "reading" || replica.behindSeconds === null || replica.behindSeconds < LATE_S)
    return null;
  return replica.ownSession
    ? `${replica.name} sends its buffer every 1\u2009s`
    : `${replica.name}'s buffer came ${replica.behindSeconds.toFixed(1)}\u2009s ago`;
}

function summaryOf(state: LiveState): string {
  const clock = clockLabel(state.now + originDayOf(state.origin), 1e6);
  return `Lanes of the last 30 s up to ${clock} UTC, ${state.lanes.length} lanes. ${state.verdict?.sentence ?? ""}`;
}
