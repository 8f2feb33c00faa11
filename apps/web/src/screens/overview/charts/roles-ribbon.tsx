import type { ReactNode } from "react";
import { replicaOfSlot } from "@aglens/ag-model/replication";
import type { Summary } from "@aglens/contract";
import { xOf } from "../../../charts/time-scale.ts";
import { overviewTexts as texts } from "../../../messages/overview.ts";
import { durationText } from "../../../ui/words.ts";
import { useCapture } from "../../capture-view/capture-context.ts";
import {
  modePhaseName,
  type ModeSwitch,
  modeSwitches,
  phaseEdges,
  phaseIndex,
  phaseName,
  type RoleSwitch,
  roleSwitches,
} from "../../capture-view/phases.ts";
import { useOverview } from "../overview-context.ts";
import { ChartHead } from "./plot-area.tsx";
import styles from "../failover.module.css";

/** Minimum width of a switch for its label, px. */
const WORDS_PX = 60;

/**
 * Roles and availability modes of the servers over time, on the charts' scale of time; only where one changed. A click
 * shows one phase alone.
 */
export function RolesRibbon({ width }: { readonly width: number }): ReactNode {
  const { summary } = useCapture();
  const switches = roleSwitches(summary);
  if (phaseEdges(summary).length === 0 || width === 0) return null;
  return (
    <>
      <ChartHead
        title={switches.length > 0 ? texts.roles : texts.availabilityModes}
        legend={<span>{texts.colorFollowsTheRole}</span>}
      />
      <RoleRows width={width} />
    </>
  );
}

/** A row for each server. */
export function RoleRows({ width }: { readonly width: number }): ReactNode {
  const { summary } = useCapture();
  const { scale } = useOverview();
  const switches = roleSwitches(summary);
  const modes = modeSwitches(summary);
  const edge = (at: number): number => Math.min(width, Math.max(0, xOf({ ...scale, width }, at)));
  return (
    <div className={styles.ribbon}>
      {summary.replicas.map((replica, index) => (
        <div key={`${index} ${replica.id}`} className={styles.server}>
          {eventRunsOf(summary, switches, modes, index).map((period) => (
            <RolePeriod key={period.phase} {...period} replica={index} edge={edge} />
          ))}
        </div>
      ))}
      {switches.map(({ from, to, after }) => {
        const [left, right] = [edge(from), edge(to)];
        return right <= left ? null : (
          <div key={after} className={styles.switch} style={{ left, width: right - left }}>
            {right - left < WORDS_PX ? null : (
              <>
                <b className="ink">{texts.switch}</b>
                <span>{durationText(to - from)}</span>
              </>
            )}
          </div>
        );
      })}
    </div>
  );
}

interface Period {
  readonly phase: number;
  readonly role: "primary" | "secondary";
  readonly words: string;
  readonly from: number;
  readonly to: number;
}

/** Period in which a server had a role and a mode, from one change to the next. */
function eventRunsOf(
  summary: Summary,
  switches: readonly RoleSwitch[],
  modes: readonly ModeSwitch[],
  replica: number,
): Period[] {
  const changeTo = (phase: number): number | undefined =>
    switches.find(({ after }) => after === phase)?.to ?? modes.find(({ after }) => after === phase)?.at;
  const changeFrom = (phase: number): number | undefined =>
    switches.find(({ before }) => before === phase)?.from ?? modes.find(({ before }) => before === phase)?.at;
  return summary.phases.flatMap((phase, index) => {
    const slot = phase.commitModes.findIndex((_, s) => replicaOfSlot(phase.primary, s) === replica);
    const mode = phase.commitModes[slot] ?? null;
    const isPrimary = phase.primary === replica;
    if (!isPrimary && mode === null) return [];
    return [
      {
        phase: index,
        role: isPrimary ? ("primary" as const) : ("secondary" as const),
        words: isPrimary ? texts.primary : mode === "undetermined" ? texts.secondary : `secondary, ${mode}`,
        from: changeTo(index) ?? 0,
        to: changeFrom(index) ?? summary.durationUs,
      },
    ];
  });
}

function RolePeriod({
  phase,
  role,
  words,
  from,
  to,
  replica,
  edge,
}: Period & { readonly replica: number; readonly edge: (at: number) => number }): ReactNode {
  const { summary, view, setView } = useCapture();
  const chosen = phaseIndex(summary, view.phase) === phase;
  const [left, right] = [edge(from), edge(to)];
  if (right <= left) return null;
  const server = summary.replicas[replica];
  // After a server's last event its role is unknown, whatever the other server's events show.
  const ends = edge(server?.hasCapture === true ? (server.to ?? from) : from);
  const name = modePhaseName(summary, phase) ?? phaseName(summary, phase).toLowerCase();
  return (
    <button
      type="button"
      className={styles.role}
      data-role={role}
      aria-pressed={chosen}
      aria-label={texts.alone(server?.name ?? "", words, name)}
      title={chosen ? texts.showAllPhases : texts.showTheFigures(name)}
      style={{ left, width: right - left }}
      onClick={() => setView({ phase: chosen ? null : phase })}
    >
      <span>
        <b>{server?.name}</b> {words}
      </span>
      {ends < right ? (
        <i style={{ left: Math.max(0, ends - left) }} title={texts.noEventsOf(server?.name)} />
      ) : null}
    </button>
  );
}
