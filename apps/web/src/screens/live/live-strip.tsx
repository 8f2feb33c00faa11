import type { ReactNode } from "react";
import type { ClockSummary, LiveReplica } from "@aglens/contract";
import { Chip } from "../../ui/controls.tsx";
import { durationText, formatCount, formatUncertainty } from "../../ui/words.ts";
import { secondaryOf } from "./lane-times.ts";
import type { LiveState } from "./picture.ts";
import strip from "../../frame/strip.module.css";
import styles from "./live-strip.module.css";

/** Who takes part, how fast its events come, how the clocks are put on one. */
export function LiveStrip({ state }: { readonly state: LiveState }): ReactNode {
  const nameOf = (secondary: number): string =>
    secondaryOf(state.lanes, state.replicas, secondary)?.name ?? "The secondary";
  return (
    <section
      className={strip.strip}
      data-crowded={state.replicas.length + state.unattached.length > 2}
      aria-label="Replicas"
    >
      {state.replicas.map((replica) => (
        <div key={replica.index} className={strip.item}>
          <RoleChip replica={replica} />
          <b title={replica.replicaId}>{replica.name}</b>
          {replica.state === "failed" ? null : (
            <span className={strip.events}>{formatCount(Math.round(replica.eventsPerSecond))} events/s</span>
          )}
          <Late replica={replica} />
        </div>
      ))}
      {state.unattached.map(({ replicaId, name, role, commitMode }) => (
        <div key={replicaId} className={strip.item}>
          <Chip dashed>{roleWords({ role, commitMode })}, not attached</Chip>
          <b title={replicaId}>{name}</b>
        </div>
      ))}
      {state.clocks.map((clock) => (
        <div key={clock.secondary} className={strip.item}>
          <ClockWords clock={clock} name={nameOf(clock.secondary)} />
        </div>
      ))}
      <div className={styles.rates}>{rateWords(state)}</div>
    </section>
  );
}

function RoleChip({ replica }: { replica: LiveReplica }): ReactNode {
  if (replica.state === "failed") return <Chip dashed>{roleWords(replica)}, not attached</Chip>;
  return <Chip place={replica.role === "unknown" ? "none" : replica.role}>{roleWords(replica)}</Chip>;
}

/** Less than this is what a session of ours holds back, s. */
const PROMPT_S = 3.1;

/** How late a replica's events come, where that is worth a word. */
function Late({ replica: { state, behindSeconds, unheardSince } }: { replica: LiveReplica }): ReactNode {
  if (state !== "reading" || behindSeconds === null || behindSeconds < PROMPT_S) return null;
  return (
    <b>
      {unheardSince === null
        ? `${behindSeconds.toFixed(1)}\u2009s late`
        : `not heard for ${Math.round(behindSeconds)}\u2009s`}
    </b>
  );
}

function roleWords({ role, commitMode }: Pick<LiveReplica, "role" | "commitMode">): string {
  if (role === "primary") return "Primary";
  if (role === "unknown") return "Role unknown";
  return commitMode === "undetermined" ? "Secondary" : `Secondary, ${commitMode}`;
}

function ClockWords({ clock, name }: { clock: ClockSummary; name: string }): ReactNode {
  const ahead = clock.utcAheadOfPrimaryUs;
  if (clock.status === "cannotAlign" || ahead === null)
    return <span title={clock.reason}>{name} clock cannot be aligned yet</span>;
  return (
    <span title={clock.reason}>
      {name} clock{" "}
      <b>
        {durationText(Math.abs(ahead))} {ahead < 0 ? "behind" : "ahead"}
      </b>
      , aligned to <b>{formatUncertainty(clock.strictUncertaintyUs)}</b>
      <span className={strip.events}>
        {clock.blocksUsed > 0 ? ` by ${formatCount(clock.blocksUsed)} blocks` : ""}
      </span>
    </span>
  );
}

function rateWords({ blocksPerSecond, commitsPerSecond }: LiveState): string {
  if (blocksPerSecond === null) return "";
  const commits = commitsPerSecond === null ? "" : `, ${formatCount(Math.round(commitsPerSecond))} commits/s`;
  return `${formatCount(Math.round(blocksPerSecond))} blocks/s${commits}`;
}
