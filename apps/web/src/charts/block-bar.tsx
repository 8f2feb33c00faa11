import { REMOTE_PATH } from "xel-parser/replication";
import { stageToken, type StageToken } from "./palette.ts";
import { useMedia } from "../ui/use-media.ts";
import "./charts.css";

interface Props {
  /** µs by stage id; stages without a value are left out. */
  readonly stages: Readonly<Record<string, number | null>>;
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
export function pieces(stages: Readonly<Record<string, number | null>>): Piece[] {
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

const LINE = 2;

/** Where colours are forced a pattern tells the place: solid, dots, diagonal (design.md section 13). */
const FORCED: Readonly<Partial<Record<StageToken, string>>> = {
  "--p-disk": "CanvasText",
  "--p-work": "GrayText",
  "--n-out": "url(#bar-dots)",
  "--n-back": "url(#bar-dots)",
  "--s-disk": "url(#bar-diagonal)",
  "--s-work": "url(#bar-diagonal)",
  "--wait": "GrayText",
};

function Patterns() {
  return (
    <defs>
      <pattern id="bar-dots" width={4} height={4} patternUnits="userSpaceOnUse">
        <rect width={2} height={2} fill="CanvasText" />
        <rect x={2} y={2} width={2} height={2} fill="CanvasText" />
      </pattern>
      <pattern
        id="bar-diagonal"
        width={5}
        height={5}
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <rect width={2.5} height={5} fill="CanvasText" />
      </pattern>
    </defs>
  );
}

/** The product's glyph: remote path to scale, the primary's own log write as a thin line under it. */
export function BlockBar({ stages, scaleUs, localStart = 0, height = 14, label }: Props) {
  const forced = useMedia("(forced-colors: active)");
  const fill = (token: StageToken): string => (forced && FORCED[token]) || `var(${token})`;
  const percent = (us: number): string => `${((us / scaleUs) * 100).toFixed(3)}%`;
  const local = stages["localFlush"];
  const hasLocal = local !== null && local !== undefined && local > 0;
  const barHeight = hasLocal ? height - LINE - 2 : height;
  const name = label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label };
  return (
    <svg className="block-bar" width="100%" height={height} {...name}>
      {forced ? <Patterns /> : null}
      {pieces(stages).map((piece) => (
        <rect
          key={piece.id}
          className={`stage ${piece.token.slice(2)}`}
          x={percent(piece.from)}
          width={percent(piece.duration)}
          height={barHeight}
          fill={fill(piece.token)}
        />
      ))}
      {hasLocal && (
        <rect
          x={percent(localStart)}
          y={height - LINE}
          width={percent(local)}
          height={LINE}
          fill={fill("--p-disk")}
        />
      )}
    </svg>
  );
}
