import type { ReactNode } from "react";
import type { ClockSummary, ReplicaSummary, Summary } from "xel-parser/contract";
import type { View } from "../../state/view.ts";
import { Chip } from "../../ui/controls.tsx";
import { durationText, formatCount, formatUncertainty } from "../../ui/words.ts";

interface StripProps {
  readonly summary: Summary;
  readonly clock: View["clock"];
  readonly onClock: (clock: View["clock"]) => void;
  /** Shows the damage of the files; only asked for when there is some. */
  readonly onDamage: () => void;
}

/** Who took part, how their clocks were put on one, how many blocks were joined. */
export function ReplicaStrip({ summary, clock, onClock, onDamage }: StripProps): ReactNode {
  const gaps = summary.files.reduce((sum, file) => sum + file.gaps.length, 0);
  return (
    <section className={`strip${summary.replicas.length > 2 ? " crowded" : ""}`} aria-label="Replicas">
      {summary.replicas.map((replica) => (
        <div key={replica.id} className="strip-item" title={replica.id}>
          <Chip place={replica.hasCapture ? replica.role : "none"} dashed={!replica.hasCapture}>
            {roleWords(replica)}
          </Chip>
          {isNamed(replica) ? <b>{replica.name}</b> : null}
          {replica.hasCapture ? <span className="events">{formatCount(replica.events)} events</span> : null}
        </div>
      ))}
      {summary.clocks.map((entry) => (
        <div key={entry.secondary} className="strip-item">
          <ClockWords
            clock={entry}
            raw={clock === "raw"}
            name={summary.replicas[entry.secondary + 1]?.name ?? "The secondary"}
          />
          <ClockChip entry={entry} clock={clock} onClock={onClock} />
        </div>
      ))}
      <div className="strip-item">
        {formatCount(summary.blocks.onBoth)} of {formatCount(summary.blocks.total)} blocks joined
      </div>
      {gaps === 0 ? null : (
        <div className="strip-item">
          <button type="button" className="clock-chip caution" onClick={onDamage}>
            {gaps === 1 ? "1 gap in a file" : `${formatCount(gaps)} gaps in the files`}
          </button>
        </div>
      )}
      <div className="strip-where">Analysed on this server</div>
    </section>
  );
}

/** A replica whose name nobody knows is called by its role, which its chip says already. */
const isNamed = ({ name, role }: ReplicaSummary): boolean => name.toLowerCase() !== role;

function roleWords(replica: ReplicaSummary): string {
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

/** Aligned or raw; raw says what it breaks. */
function ClockChip({
  entry,
  clock,
  onClock,
}: { entry: ClockSummary } & Pick<StripProps, "clock" | "onClock">): ReactNode {
  if (entry.status === "cannotAlign") return <Chip dashed>Cannot align</Chip>;
  const raw = clock === "raw";
  const words = raw
    ? `Raw UTC. Acknowledgements arrive before they are sent on ${formatCount(entry.outOfOrderByUtc)} blocks.`
    : "Times of both replicas are on the primary's clock.";
  return (
    <>
      <button
        type="button"
        className={`clock-chip${raw ? " raw" : ""}`}
        aria-pressed={!raw}
        title={`${words} Key: r`}
        onClick={() => onClock(raw ? "aligned" : "raw")}
      >
        {raw ? "Raw UTC" : "Aligned"}
      </button>
      {raw && entry.outOfOrderByUtc > 0 ? (
        <span className="caution">
          acks arrive before they are sent on {formatCount(entry.outOfOrderByUtc)} blocks
        </span>
      ) : null}
    </>
  );
}
