import type { ReactNode } from "react";
import type { Sequence, SequenceStage } from "xel-parser/contract";
import { placeOf, stageToken, type ReplicaNames } from "../../charts/palette.ts";
import { Swatch, Value } from "../../ui/controls.tsx";
import { durationText, formatDuration, formatPercent, rankText } from "../../ui/words.ts";

/** Rows of the table, top to bottom; parts of a stage (compression, decompression) follow it when they happened. */
const ROWS: readonly { id: string; label: (names: ReplicaNames) => string; part?: boolean }[] = [
  { id: "commitQueue", label: () => "Commit queue" },
  { id: "localFlush", label: (n) => `Log write, ${n.primary}` },
  { id: "send", label: () => "Capture and send" },
  { id: "compression", label: () => "Compression", part: true },
  { id: "wireOut", label: () => "Network out" },
  { id: "secondaryAppend", label: () => "Receive and append" },
  { id: "decompression", label: () => "Decompression", part: true },
  { id: "secondaryFlush", label: (n) => `Log write, ${n.secondary}` },
  { id: "ackBuild", label: () => "Ack build" },
  { id: "ackSend", label: () => "Ack send" },
  { id: "wireBack", label: () => "Network back" },
  { id: "ackReceive", label: () => "Ack receive" },
  { id: "commitWakeUp", label: () => "Commit wake-up" },
  { id: "networkRoundTrip", label: () => "Network round trip" },
];

const BESIDE: Readonly<Record<string, string>> = {
  commitQueue: "before, after",
  commitWakeUp: "before, after",
  localFlush: "parallel",
  networkRoundTrip: "sum",
  compression: "inside",
  decompression: "inside",
};

/** How a stage was obtained, in words; a figure that crosses the two clocks carries its ±. */
function obtainedWords(stage: SequenceStage): string {
  if (stage.duration === null) return "missing";
  if (stage.id === "networkRoundTrip") return "exact";
  if (stage.uncertaintyUs !== null) return `aligned ±${durationText(stage.uncertaintyUs)}`;
  return stage.obtained;
}

/** Every stage of the block with duration, share, rank and how it was obtained. */
export function StageTable(props: { sequence: Sequence; secondary: number; names: ReplicaNames }): ReactNode {
  const hop = props.sequence.hops.find((candidate) => candidate.secondary === props.secondary);
  const stages = new Map(hop?.stages.map((stage) => [stage.id, stage]));
  const scale = Math.max(1, hop?.remoteHarden ?? 0, stages.get("localFlush")?.duration ?? 0);
  return (
    <table className="stage-table" aria-label="Stages of this block">
      <thead>
        <tr>
          <th scope="col">Stage</th>
          <th scope="col" className="number">
            Duration
          </th>
          <th scope="col" className="number">
            Share of harden
          </th>
          <th scope="col">
            <span className="sr-only">Bar, to scale</span>
          </th>
          <th scope="col" className="number">
            Rank
          </th>
          <th scope="col" className="number">
            Typical p50
          </th>
          <th scope="col">Obtained</th>
        </tr>
      </thead>
      <tbody>
        {ROWS.map(({ id, label, part }) => {
          const stage = stages.get(id);
          if (!stage || (part && stage.duration === null)) return null;
          return (
            <tr key={id} className={part ? "part" : ""}>
              <th scope="row">
                <Swatch color={`var(${id === "networkRoundTrip" ? "--n-out" : stageToken(id)})`} />{" "}
                {label(props.names)}
              </th>
              <td className="number">
                <Value figure={formatDuration(stage.duration)} strong />
              </td>
              <td className="number muted">
                {stage.share === null ? (BESIDE[id] ?? "–") : formatPercent(stage.share, 1)}
              </td>
              <td className="bar">
                <span
                  hidden={stage.duration === null}
                  style={{
                    width: `${Math.min(100, (100 * Math.max(0, stage.duration ?? 0)) / scale)}%`,
                    background: `var(${stageToken(id)})`,
                    opacity: placeOf(id) === "primary" ? 0.7 : 1,
                  }}
                />
              </td>
              <td className="number">{rankText(stage.rank)}</td>
              <td className="number">
                <Value figure={formatDuration(stage.typical)} />
              </td>
              <td className="muted">{obtainedWords(stage)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
