import type { ReactNode } from "react";
import { formatRoughly } from "@aglens/ag-model/words";
import type { LiveGap, LiveKnownReplica, LivePicture, LiveReplica } from "@aglens/contract";
import { Button, Chip } from "../../ui/controls.tsx";
import {
  type CaptureTime,
  clockAt,
  formatBytes,
  formatCount,
  formatInstant,
  formatRange,
  formatTime,
  unbroken,
} from "../../ui/words.ts";
import { AttachMore } from "./attach/attach-more.tsx";
import { CounterChoice } from "./attach/counter-choice.tsx";
import type { LiveState } from "./picture.ts";
import { liveTexts as texts } from "../../messages/live.ts";
import { LiveVerdict } from "./live-verdict.tsx";
import { secondariesOf } from "./phase-lanes.ts";
import { secondaryOf } from "./lane-times.ts";
import { ReplicasTable } from "./replicas-table.tsx";
import { RunOptions } from "./attach/run-options.tsx";
import { Shares } from "./shares.tsx";
import { Trouble } from "./trouble.tsx";
import { WhatHappened } from "./what-happened.tsx";
import { WaitingSessions } from "./waiting-sessions.tsx";
import laneFrame from "../lane-view/lane-frame.module.css";
import styles from "./sessions.module.css";
import { useLiveRun } from "./live-run-context.ts";

const STEPS = ["created", "started", "reading", "dropped"] as const;
const ORDER = ["connecting", ...STEPS];
const STATE_WORDS: Readonly<Record<LiveReplica["state"], string>> = {
  connecting: "connecting",
  created: "created",
  started: "started",
  reading: "reading",
  dropped: "dropped",
  waiting: texts.connectionLost,
  failed: texts.notAttachedAlone,
};
const GAPS_SHOWN = 20;
/** The API ends a run after this time without a viewer. */
const LEFT_ALONE = "60\u00a0s";

/** The verdict so far, and the state of the session on each replica. */
export function SidePane(): ReactNode {
  const { id, state, clock, canControl } = useLiveRun();
  const { verdict, replicas, kept, memory, database } = state;
  const primary = replicas.find((replica) => replica.role === "primary");
  const own = replicas.filter((replica) => replica.ownSession && replica.session !== "");
  return (
    <aside className={`${laneFrame.pane} ${styles.pane}`} aria-label={texts.verdictAndSessions}>
      <h2>
        {texts.now} <span className="quiet text-small">{heardText(state, clock)}</span>
      </h2>
      <LiveVerdict verdict={verdict} judged={state.judged} database={database} clock={clock} />
      {secondariesOf(state.lanes).map((secondary) => {
        const replica = secondaryOf(state.lanes, replicas, secondary);
        // Without its events a secondary's path has a single part, and its share of 100 % has no meaning.
        return replica === undefined ? null : (
          <Shares
            key={replica.index}
            shares={state.shares[secondary] ?? {}}
            judged={state.judged}
            names={{ primary: primary?.name ?? "Primary", secondary: replica.name }}
          />
        );
      })}
      <WhatHappened />
      <ReplicasTable />
      <WaitingSessions id={id} />
      <h2>{texts.sessions}</h2>
      <ul className={styles.sessions}>
        {replicas.map((replica) => (
          <Session
            key={replica.index}
            replica={replica}
            gaps={state.gaps.filter((gap) => gap.replica === replica.index)}
          />
        ))}
        {state.unattached.map((replica) => (
          <Unattached key={replica.replicaId} replica={replica} />
        ))}
      </ul>
      <CounterChoice />
      <RunOptions />
      <p className={laneFrame.sub}>
        {state.state === "stopped" ? null : stopText(own, canControl)} {keptText(kept)} {memoryText(memory)}
      </p>
    </aside>
  );
}

/** Time of the last event of each replica: `SQL1 to 10:50:18.1, SQL2 to 10:50:12.0`. */
function heardText({ replicas, decodedTo, now }: LiveState, clock: CaptureTime): string {
  const words = replicas.flatMap(({ index, name, state }) => {
    const heardTo = decodedTo[index] ?? null;
    return state === "failed" || heardTo === null ? [] : [`${name} to ${formatTime(clock, heardTo, 1)}`];
  });
  return words.length === 0 ? "" : `${words.join(", ")} ${clockAt(clock, now)}`;
}

function stopText(own: readonly LiveReplica[], canControl: boolean): string {
  if (!canControl) return texts.youCanView;
  const names = [...new Set(own.map((replica) => replica.session))];
  const closing = texts.ifThisPageCloses(LEFT_ALONE);
  if (names.length === 0) return closing;
  return texts.stopRemovesSession(names.join(", "), closing);
}

function keptText({ bytes, limit, droppedBytes, lostBytes }: LivePicture["kept"]): string {
  const dropped = texts.ofTheOldest(unbroken(formatBytes(droppedBytes)));
  const lost = texts.wereLostTheDisk(unbroken(formatBytes(lostBytes)));
  return [
    unbroken(texts.ofAtMost(formatBytes(bytes), formatBytes(limit))),
    ...(droppedBytes > 0 ? [dropped] : []),
    ...(lostBytes > 0 ? [lost] : []),
  ].join(" ");
}

/** `In memory: the last 58 s, 41 MB of at most 134 MB.` */
function memoryText({ bytes, limit, seconds }: LivePicture["memory"]): string {
  if (seconds === null) return "";
  const span = unbroken(texts.last(formatRoughly(seconds * 1e6)));
  return texts.inMemory(span, unbroken(texts.ofAtMostPart(formatBytes(bytes), formatBytes(limit))));
}

function roleLabel(replica: LiveReplica): { words: string; place: "primary" | "secondary" | "none" } {
  if (replica.role === "primary") return { words: "Primary", place: "primary" };
  if (replica.role === "unknown") return { words: texts.roleUnknown, place: "none" };
  return {
    words: replica.commitMode === "async" ? "Secondary, async" : "Secondary",
    place: "secondary",
  };
}

interface SessionProps {
  readonly replica: LiveReplica;
  readonly gaps: readonly LiveGap[];
}

function Session({ replica, gaps }: SessionProps): ReactNode {
  const { words, place } = roleLabel(replica);
  return (
    <li aria-label={replica.name}>
      <div className={styles.sessionHead}>
        <b title={replica.replicaId}>{replica.name}</b>
        <Chip place={place}>{words}</Chip>
        <span className={replica.state === "waiting" ? styles.bad : undefined}>{stateText(replica)}</span>
      </div>
      <Track replica={replica} />
      {replica.state === "failed" ? null : <Counters replica={replica} />}
      {gaps.length === 0 ? null : <Gaps gaps={gaps} />}
      {replica.problem === null ? null : <Trouble problem={replica.problem} />}
      {replica.state === "failed" || replica.state === "waiting" ? <TryAgain replica={replica} /> : null}
    </li>
  );
}

function stateText(replica: LiveReplica): string {
  if (replica.state === "waiting" && replica.problem?.code === "live-session-stopped")
    return texts.sessionEnded;
  if (replica.state !== "waiting" || replica.retryIn === null) return STATE_WORDS[replica.state];
  return texts.againInS(STATE_WORDS.waiting, Math.max(0, Math.round(replica.retryIn)));
}

function Track({ replica }: { replica: LiveReplica }): ReactNode {
  const reached = replica.state === "failed" ? 0 : ORDER.indexOf(replica.step);
  const steps = replica.ownSession ? STEPS : (["found", "started", "reading", "left"] as const);
  return (
    <ol className={styles.track}>
      {steps.map((step, i) => {
        const done = i + 1 <= reached;
        return (
          <li key={step} data-done={done} aria-current={i + 1 === reached ? "step" : undefined}>
            {step}
          </li>
        );
      })}
    </ol>
  );
}

function Counters({ replica }: { replica: LiveReplica }): ReactNode {
  const behind = replica.behindSeconds === null ? "" : `, ${replica.behindSeconds.toFixed(1)}\u2009s`;
  const rows: { name: string; value: string; bad?: boolean; always?: boolean }[] = [
    { name: texts.eventsRead, value: formatCount(replica.events), always: true },
    {
      name: texts.eventsDroppedBySql,
      value: formatCount(replica.droppedByServer),
      bad: replica.droppedByServer > 0,
      always: true,
    },
    {
      name: texts.buffersDroppedBySql,
      value: formatCount(replica.buffersDroppedByServer),
      bad: replica.buffersDroppedByServer > 0,
    },
    {
      name: texts.buffersDroppedByAg,
      value: formatCount(replica.droppedByUs),
      bad: replica.droppedByUs > 0,
    },
    { name: texts.buffersNotDecoded, value: formatCount(replica.undecoded), bad: replica.undecoded > 0 },
    {
      name: texts.disconnectedBySqlServer,
      value: formatCount(replica.disconnects),
      bad: replica.disconnects > 0,
    },
    {
      name: texts.eventsTooLate,
      value: formatCount(replica.eventsTooLate),
      bad: replica.eventsTooLate > 0,
    },
    {
      name: texts.sendsEvents,
      value: replica.dispatchSeconds === null ? texts.whenABuffer : texts.everyS(replica.dispatchSeconds),
      always: !replica.ownSession,
    },
    {
      name: texts.largestDelay,
      value: `${(replica.lateSeconds ?? 0).toFixed(1)}\u2009s`,
      always: replica.lateSeconds !== null,
    },
    {
      name: texts.eventsDelayedBySqlServer,
      value: texts.upToSeconds((replica.waitedSeconds ?? 0).toFixed(1)),
      always: replica.waitedSeconds !== null,
    },
    {
      name: texts.buffersWaitingForAg,
      value: `${formatCount(replica.buffersBehind)}${behind}`,
      always: true,
    },
  ];
  return (
    <dl className="text">
      {rows
        .filter((row) => row.always === true || row.bad === true)
        .map((row) => (
          <div className="flex-box spread gap-8" key={row.name}>
            <dt className="muted">{row.name}</dt>
            <dd className={row.bad === true ? styles.bad : undefined}>{row.value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Periods in which the replica could not be read, newest first; its lanes have the same periods hatched. */
function Gaps({ gaps }: Omit<SessionProps, "replica">): ReactNode {
  const { clock } = useLiveRun();
  const shown = gaps.toReversed().slice(0, GAPS_SHOWN);
  return (
    <details className={styles.gaps}>
      <summary>{texts.gap(gaps.length)}</summary>
      <ul>
        {shown.map((gap) => (
          <li key={gap.from}>
            <b>
              {gap.to === null
                ? texts.toNow(formatInstant(clock, gap.from, 0))
                : formatRange(clock, gap.from, gap.to)}
            </b>{" "}
            {gap.message}
          </li>
        ))}
      </ul>
    </details>
  );
}

function TryAgain({ replica }: { readonly replica: LiveReplica }): ReactNode {
  const { canControl, isRunning, retry } = useLiveRun();
  if (!canControl || !isRunning) return null;
  return (
    <div className="flex-box wrap gap-8">
      <Button aria-label={texts.tryAgain(replica.name)} onClick={() => retry(replica.index)}>
        {texts.tryAgainLabel}
      </Button>
      {replica.problem?.code === "live-session-stopped" ? null : <AttachMore name={replica.name} isAnew />}
    </div>
  );
}

/** A replica of the group that this run does not read; the table contains what is known of it. */
function Unattached({ replica }: { readonly replica: LiveKnownReplica }): ReactNode {
  return (
    <li aria-label={replica.name}>
      <div className={styles.sessionHead}>
        <b title={replica.replicaId}>{replica.name}</b>
        <Chip dashed>{replica.commitMode === "async" ? texts.secondaryAsync : texts.secondaryLabel}</Chip>
        <span>{texts.notAttachedAlone}</span>
      </div>
      <AttachMore name={replica.name} />
    </li>
  );
}
