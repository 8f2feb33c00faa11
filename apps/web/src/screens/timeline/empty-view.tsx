import type { ReactNode } from "react";
import type { Sequence, Summary } from "@aglens/contract";
import { Button, Kbd } from "../../ui/controls.tsx";
import { durationText, formatOffset } from "../../ui/words.ts";
import type { Range } from "./viewport.ts";

/** The blocks on either side of a stretch without any; null where the capture has none. */
export interface Neighbours {
  readonly previous: Sequence | null;
  readonly next: Sequence | null;
}

interface Props {
  readonly range: Range;
  readonly summary: Summary;
  readonly uncovered: readonly (readonly [number, number, number])[];
  /** Null while they are looked for. */
  readonly neighbours: Neighbours | null;
  /** Whether the keys [ and ] lead to the neighbours: they start from a selected block where there is one. */
  readonly keysLead: boolean;
  readonly onSelect: (row: number) => void;
  readonly onWhole: () => void;
}

/** A block ends where the next one begins, within one VLF: what lies between them was never written, or is lost. */
function joint({ previous, next }: Neighbours): "gapless" | "hole" | "unknown" {
  if (!previous || !next || previous.size === null || previous.database !== next.database) return "unknown";
  const end = BigInt(previous.blockId) + BigInt(previous.size / 512);
  const begin = BigInt(next.blockId);
  if (end === begin) return "gapless";
  return end >> 32n === begin >> 32n ? "hole" : "unknown";
}

const filesOf = (captured: number): string =>
  captured === 1 ? "The file covers" : captured === 2 ? "Both replicas' files cover" : "All files cover";

/** Why nothing is here: nobody wrote, nobody captured, or it was lost (design.md section 12). */
export function emptyWords(
  summary: Pick<Summary, "replicas" | "files">,
  uncovered: Props["uncovered"],
  [from, to]: Range,
  neighbours: Neighbours,
): string {
  const missing = new Set(uncovered.filter(([a, b]) => b > from && a < to).map(([, , replica]) => replica));
  const nameOf = (replica: number) => summary.replicas[replica]?.name ?? "A replica";
  if (missing.has(0))
    return `${nameOf(0)}'s file does not cover this time: what was written here is not in the capture.`;
  const joined = joint(neighbours);
  if (joined === "hole")
    return "Block ids have a hole here: log blocks of this time are missing in the files.";
  if (joined === "unknown" && summary.files.some(({ gaps }) => gaps.length > 0))
    return "A file has a gap: whether log was written here cannot be told.";
  if (missing.size > 0)
    return `${nameOf(0)}'s file covers this time: the database wrote no log here. ${[...missing].map((replica) => `${nameOf(replica)}'s file`).join(" and ")} ${missing.size === 1 ? "does" : "do"} not cover it.`;
  const covers = filesOf(summary.replicas.filter(({ hasCapture }) => hasCapture).length);
  return joined === "gapless"
    ? `${covers} this time, and block ids continue without a hole: the database wrote no log here. Nothing was lost.`
    : `${covers} this time: the database wrote no log here.`;
}

/** Decimals that tell the ends of the stretch apart. */
const offset = (us: number, [from, to]: Range): string =>
  formatOffset(us, 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, (to - from) / 20)))));

function hardenWords({ hops }: Sequence): string {
  const harden = hops[0]?.remoteHarden ?? null;
  return harden === null ? "" : `, ${durationText(harden)}`;
}

/** Stands over lanes that have nothing to show: why, and where the next block is. */
export function EmptyView(props: Props): ReactNode {
  const { range, summary, neighbours, keysLead } = props;
  const { previous, next } = neighbours ?? { previous: null, next: null };
  return (
    <section className="tl-empty" aria-labelledby="tl-empty-title">
      <h2 id="tl-empty-title">
        No log block between {offset(range[0], range)} and {offset(range[1], range)}
      </h2>
      <p>{neighbours ? emptyWords(summary, props.uncovered, range, neighbours) : ""}</p>
      <Button disabled={previous === null} onClick={() => previous && props.onSelect(previous.row)}>
        <span>
          <span aria-hidden="true">‹</span> Previous block
          {previous ? `, ${formatOffset(previous.time)}${hardenWords(previous)}` : ""}
        </span>
        {keysLead ? <Kbd>[</Kbd> : null}
      </Button>
      <Button disabled={next === null} onClick={() => next && props.onSelect(next.row)}>
        <span>
          <span aria-hidden="true">›</span> Next block
          {next ? `, ${formatOffset(next.time)}${hardenWords(next)}` : ""}
        </span>
        {keysLead ? <Kbd>]</Kbd> : null}
      </Button>
      <Button onClick={props.onWhole}>
        <span>Whole capture</span> <Kbd>0</Kbd>
      </Button>
    </section>
  );
}
