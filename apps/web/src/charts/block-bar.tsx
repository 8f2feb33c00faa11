import { REMOTE_PATH, type StageId } from "@aglens/ag-model/replication";
import { stageToken, type StageToken } from "../lanes/palette.ts";
import "./charts.css";

/** Durations by stage, µs; null or absent for a stage that is not known. */
export type BarStages = Readonly<Partial<Record<StageId, number | null>>>;

interface Props {
  readonly stages: BarStages;
  /** µs that the full width stands for; bars that are compared share it. */
  readonly scaleUs: number;
  /** Local log write from the start of the remote path, µs (may be negative). */
  readonly localStart?: number;
  readonly height?: number;
  /** Sentence for screen readers; without it the bar is decoration beside printed figures. */
  readonly label?: string;
}

interface Piece {
  readonly id: string;
  readonly token: StageToken;
  readonly from: number;
  readonly duration: number;
}

/** The part of the remote path that a replica without a file hides. */
function unknownPart(stages: Props["stages"]): number {
  const whole = stages["remoteHarden"];
  if (whole === null || whole === undefined || !isMissing(stages["wireOut"])) return 0;
  return whole - REMOTE_PATH.reduce((sum, { id }) => sum + Math.max(0, stages[id] ?? 0), 0);
}

const isMissing = (us: number | null | undefined): boolean => us === null || us === undefined;

/** Stages of the remote path end to end, µs from its start; one grey piece where the secondary has no file. */
export function pieces(stages: BarStages): Piece[] {
  const result: Piece[] = [];
  let at = 0;
  for (const { id } of REMOTE_PATH) {
    const duration = id === "wireOut" && isMissing(stages[id]) ? unknownPart(stages) : (stages[id] ?? 0);
    if (!(duration > 0)) continue;
    const token = isMissing(stages[id]) ? "--wait" : stageToken(id);
    result.push({ id, token, from: at, duration });
    at += duration;
  }
  return result;
}

/** How long a block's bar is, µs: the remote path, or what is known of it. */
export const barLength = (stages: Props["stages"]): number =>
  pieces(stages).reduce((sum, { duration }) => sum + duration, 0);

const LINE = 2;

/** The product's glyph: remote path to scale, the primary's own log write as a thin line under it. */
export function BlockBar({ stages, scaleUs, localStart = 0, height = 14, label }: Props) {
  const percent = (us: number): string => `${((us / scaleUs) * 100).toFixed(3)}%`;
  const local = stages["localFlush"];
  const hasLocal = local !== null && local !== undefined && local > 0;
  const barHeight = hasLocal ? height - LINE - 2 : height;
  const drawn = pieces(stages);
  const name = label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label };
  return (
    <svg className="block-bar" width="100%" height={height} {...name}>
      {drawn.map((piece) => (
        <rect
          key={piece.id}
          className={`stage ${piece.token.slice(2)}`}
          x={percent(piece.from)}
          width={percent(piece.duration)}
          height={barHeight}
          fill={`var(${piece.token})`}
        />
      ))}
      {drawn.map(({ id, from, duration, token }) => (
        // Shown where colours are forced: the pattern of the place (frame/patterns.tsx).
        <rect
          key={id}
          className={`cut ${token.slice(2, 3)}`}
          x={percent(from)}
          width={percent(duration)}
          height={barHeight}
        />
      ))}
      {hasLocal && (
        <rect
          x={percent(localStart)}
          y={height - LINE}
          width={percent(local)}
          height={LINE}
          fill="var(--p-disk)"
        />
      )}
    </svg>
  );
}
