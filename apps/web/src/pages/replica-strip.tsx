import { useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";
import type { ClockSummary, ReplicaSummary } from "@aglens/contract";
import { clockPreview, draggedBy } from "../state/clock-preview.ts";
import { useCapture } from "../screens/capture-context.ts";
import { rolesOf } from "../screens/phase.ts";
import { isNamed } from "../screens/captures/files-words.ts";
import { Chip } from "../ui/controls.tsx";
import { durationText, formatCount, formatUncertainty } from "../ui/words.ts";
import { DatabaseFilter } from "./database-filter.tsx";
import styles from "../frame/strip.module.css";

/** Who took part, how their clocks were put on one, how many blocks were joined. `onDamage` shows the gaps of the files; null says how many. */
export function ReplicaStrip({ onDamage }: { readonly onDamage: (() => void) | null }): ReactNode {
  const { summary, view } = useCapture();
  const gaps = summary.files.reduce((sum, file) => sum + file.gaps.length, 0);
  return (
    <section className={styles.strip} data-crowded={summary.replicas.length > 2} aria-label="Replicas">
      <DatabaseFilter />
      {summary.replicas.map((replica, index) => (
        <div key={`${index} ${replica.id}`} className={styles.item} title={replica.ids.join("\n")}>
          <Chip place={replica.hasCapture ? replica.role : "none"} dashed={!replica.hasCapture}>
            {roleWords(replica, rolesOf(summary, index))}
          </Chip>
          {isNamed(replica) ? <b>{replica.name}</b> : null}
          {replica.hasCapture ? (
            <span className={styles.events}>{formatCount(replica.events)} events</span>
          ) : null}
        </div>
      ))}
      {summary.clocks.map((entry) => (
        <div key={`${entry.against} ${entry.secondary}`} className={styles.item}>
          <ClockWords
            clock={entry}
            raw={view.clock === "raw"}
            name={summary.replicas[entry.secondary + 1]?.name ?? "The secondary"}
          />
          <ClockChip entry={entry} />
        </div>
      ))}
      <div className={styles.item}>
        {formatCount(summary.blocks.onBoth)} of {formatCount(summary.blocks.total)} blocks joined
      </div>
      {gaps === 0 ? null : (
        <div className={styles.item}>
          {onDamage === null ? (
            <span className={`${styles.chip} ${styles.caution}`}>{gapWords(gaps)}</span>
          ) : (
            <button type="button" className={`${styles.chip} ${styles.caution}`} onClick={onDamage}>
              {gapWords(gaps)}
            </button>
          )}
        </div>
      )}
      <div className={styles.where}>Analysed on this server</div>
    </section>
  );
}

const gapWords = (gaps: number): string =>
  gaps === 1 ? "1 gap in a file" : `${formatCount(gaps)} gaps in the files`;

const MOST_ROLES = 2;

function roleWords(replica: ReplicaSummary, roles: readonly ("primary" | "secondary")[]): string {
  const [first, then] = roles;
  if (first !== undefined && then !== undefined) {
    const words = roles.length > MOST_ROLES ? `${first}, ${roles.length} phases` : `${first}, then ${then}`;
    return `${words[0]?.toUpperCase()}${words.slice(1)}${replica.hasCapture ? "" : ", no file"}`;
  }
  if (replica.role === "primary") return replica.hasCapture ? "Primary" : "Primary, no file";
  if (!replica.hasCapture) return "Secondary, no file";
  return replica.commitMode === "undetermined" ? "Secondary" : `Secondary, ${replica.commitMode}`;
}

function ClockWords({ clock, raw, name }: { clock: ClockSummary; raw: boolean; name: string }): ReactNode {
  const ahead = clock.utcAheadOfPrimaryUs;
  if (clock.status === "cannotAlign" || ahead === null)
    return <span title={clock.reason}>{name} clock cannot be aligned</span>;
  return (
    <span title={clock.reason}>
      {name} clock{" "}
      <b>
        {durationText(Math.abs(ahead))} {ahead < 0 ? "behind" : "ahead"}
      </b>
      {raw ? null : (
        <>
          , aligned to <b>{formatUncertainty(clock.strictUncertaintyUs)}</b>
        </>
      )}
    </span>
  );
}

interface Hold {
  readonly x: number;
  /** Far enough from where it began to be no click. */
  moved: boolean;
}

/** A press that moves less than this is a click, px. */
const CLICK_PX = 4;

/**
 * Aligned or raw; raw says what it breaks. Held and dragged (or with the arrow keys) it moves the secondary's bars to what
 * the uncertainty allows, where a screen draws them.
 */
function ClockChip({ entry }: { entry: ClockSummary }): ReactNode {
  const { view, setView } = useCapture();
  const hold = useRef<Hold | null>(null);
  const [moved, setMoved] = useState(0);
  if (entry.status === "cannotAlign") return <Chip dashed>Cannot align</Chip>;
  const raw = view.clock === "raw";
  const reach = raw ? 0 : (entry.strictUncertaintyUs ?? 0);
  const slide = (us: number): void => {
    if (us !== 0 && (reach === 0 || !clockPreview.isWatched())) return;
    clockPreview.set(entry.secondary, us);
    setMoved(us);
  };
  const words = raw
    ? `Raw UTC. Acknowledgements arrive before they are sent on ${formatCount(entry.outOfOrderByUtc)} blocks.`
    : "Times of both replicas are on the primary's clock. Drag, or hold an arrow key, to move its bars in the timeline by what the uncertainty allows.";
  const onMove = (event: PointerEvent): void => {
    if (hold.current === null || (event.buttons & 1) === 0) return;
    const dx = event.clientX - hold.current.x;
    if (Math.abs(dx) >= CLICK_PX) hold.current.moved = true;
    if (hold.current.moved) slide(draggedBy(dx, reach));
  };
  const onKey = (event: KeyboardEvent): void => {
    const sign = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (sign === 0 || reach === 0 || !clockPreview.isWatched()) return;
    event.preventDefault();
    event.stopPropagation();
    slide(sign * reach);
  };
  return (
    <>
      <button
        type="button"
        className={styles.chip}
        data-raw={raw}
        aria-pressed={!raw}
        title={`${words} Key: r`}
        onPointerDown={(event) => {
          hold.current = { x: event.clientX, moved: false };
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={onMove}
        onPointerUp={() => slide(0)}
        onPointerCancel={() => slide(0)}
        onKeyDown={onKey}
        onKeyUp={() => slide(0)}
        onBlur={() => slide(0)}
        onClick={() => {
          const dragged = hold.current?.moved === true;
          hold.current = null;
          if (!dragged) setView({ clock: raw ? "aligned" : "raw" });
        }}
      >
        {moved !== 0
          ? `${moved < 0 ? "−" : "+"}${durationText(Math.abs(moved))}`
          : raw
            ? "Raw UTC"
            : "Aligned"}
      </button>
      {raw && entry.outOfOrderByUtc > 0 ? (
        <span className={styles.caution}>
          acks arrive before they are sent on {formatCount(entry.outOfOrderByUtc)} blocks
        </span>
      ) : null}
    </>
  );
}
