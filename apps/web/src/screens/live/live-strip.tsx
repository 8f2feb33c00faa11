import type { ReactNode } from "react";
import type { ClockSummary, LiveReplica } from "@aglens/contract";
import { Chip } from "../../ui/controls.tsx";
import { durationText, formatCount, formatUncertainty } from "../../ui/words.ts";
import { TimesChoice } from "../../frame/times-choice.tsx";
import { serverZone } from "../capture-view/zones.ts";
import { DatabaseFilter } from "./database-filter.tsx";
import { whyOld } from "./delivery.ts";
import { secondaryOf } from "./lane-times.ts";
import { useLiveRun } from "./live-run-context.ts";
import type { LiveState } from "./picture.ts";
import { replicaStates, type SecondaryState } from "./replica-states.ts";
import strip from "../../frame/strip.module.css";
import { liveTexts as texts } from "../../messages/live.ts";
import styles from "./live-strip.module.css";

/** The replicas of the run with their event rates and delays, and the alignment of their clocks. */
export function LiveStrip(): ReactNode {
  const { state, times } = useLiveRun();
  const nameOf = (secondary: number): string =>
    secondaryOf(state.lanes, state.replicas, secondary)?.name ?? texts.secondary;
  const states = replicaStates(state);
  const stateOf = (replicaId: string): ReactNode => {
    const found = states?.secondaries.find((secondary) => secondary.replicaId === replicaId);
    return found === undefined || found.synchronization === null ? null : <Synchronization of={found} />;
  };
  return (
    <section
      className={strip.strip}
      data-crowded={state.replicas.length + state.unattached.length > 2}
      aria-label={texts.replicas}
    >
      <DatabaseFilter />
      {state.replicas.map((replica) => (
        <div key={replica.index} className={strip.item}>
          <RoleChip replica={replica} />
          <b title={replica.replicaId}>{replica.name}</b>
          {stateOf(replica.replicaId) ?? (replica.state === "failed" ? null : <Rate replica={replica} />)}
          <NewestEvent replica={replica} />
        </div>
      ))}
      {state.unattached.map(({ replicaId, name, role, commitMode }) => (
        <div key={replicaId} className={strip.item}>
          <Chip dashed>{texts.notAttached(roleText({ role, commitMode }))}</Chip>
          <b title={replicaId}>{name}</b>
          {stateOf(replicaId)}
        </div>
      ))}
      {state.clocks.map((clock) => (
        <div key={clock.secondary} className={strip.item}>
          <ClockText clock={clock} name={nameOf(clock.secondary)} />
        </div>
      ))}
      <div className={styles.rates}>{rateText(state)}</div>
      <TimesChoice times={times} server={serverZone(state)?.name ?? null} />
    </section>
  );
}

function RoleChip({ replica }: { replica: LiveReplica }): ReactNode {
  if (replica.state === "failed") return <Chip dashed>{texts.notAttached(roleText(replica))}</Chip>;
  return <Chip place={replica.role === "unknown" ? "none" : replica.role}>{roleText(replica)}</Chip>;
}

/** State of its databases in the primary's views; a suspended one has priority. */
function Synchronization({ of: { synchronization, suspended } }: { of: SecondaryState }): ReactNode {
  if (suspended.length > 0) return <b>{texts.suspended}</b>;
  return <span className={strip.events}>{synchronization}</span>;
}

function Rate({ replica }: { replica: LiveReplica }): ReactNode {
  return (
    <span className={strip.events}>{texts.eventsS(formatCount(Math.round(replica.eventsPerSecond)))}</span>
  );
}

/** Age of a replica's newest event and the reason, where the event is late. */
function NewestEvent({ replica }: { replica: LiveReplica }): ReactNode {
  const why = whyOld(replica);
  if (replica.state !== "reading" || why === null) return null;
  const seconds = (replica.behindSeconds ?? 0).toFixed(1);
  const words = {
    late: texts.sLate(seconds),
    rowsWait: texts.eventsDelayedS(seconds),
    noEvent: texts.noEventForS(seconds),
    notHeard: texts.noEventsReceivedFor(Math.round(replica.behindSeconds ?? 0)),
  };
  return <b>{words[why]}</b>;
}

function roleText({ role, commitMode }: Pick<LiveReplica, "role" | "commitMode">): string {
  if (role === "primary") return "Primary";
  if (role === "unknown") return texts.roleUnknown;
  return commitMode === "undetermined" ? texts.secondaryLabel : `Secondary, ${commitMode}`;
}

function ClockText({ clock, name }: { clock: ClockSummary; name: string }): ReactNode {
  const ahead = clock.utcAheadOfPrimaryUs;
  if (clock.status === "cannotAlign" || ahead === null)
    return <span title={clock.reason}>{texts.clockCantBeAligned(name)}</span>;
  return (
    <span title={clock.reason}>
      {texts.clockAlignedTo(
        name,
        <b>{texts.behindAhead(durationText(Math.abs(ahead)), ahead)}</b>,
        <b>{formatUncertainty(clock.strictUncertaintyUs)}</b>,
        <span className={strip.events}>
          {clock.blocksUsed > 0 ? texts.byBlocks(formatCount(clock.blocksUsed)) : ""}
        </span>,
      )}
    </span>
  );
}

function rateText({ blocksPerSecond, commitsPerSecond }: LiveState): string {
  if (blocksPerSecond === null) return "";
  const commits = commitsPerSecond === null ? "" : texts.commitsS(formatCount(Math.round(commitsPerSecond)));
  return texts.blocksS(formatCount(Math.round(blocksPerSecond)), commits);
}
