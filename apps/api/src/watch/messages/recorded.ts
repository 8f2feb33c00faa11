/** Results of a recording's capture for a message: in words, and as a picture. */
import { decodeWindow, type Summary } from "@aglens/contract";
import { stageDefinition, stageName } from "@aglens/ag-model/replication";
import { drawLink } from "../../unfurl/draw-picture.ts";
import { linkFigures } from "../../unfurl/link-figures.ts";
import type { RecordedResults } from "./message.ts";

/** Analyzed captures. */
export interface RecordedCaptures {
  summary(id: string): Promise<Summary>;
  /** As the client gets it first: `WindowAnswer` of the complete capture. */
  preview(id: string): Promise<Uint8Array>;
}

export function resultsOf({ verdict, replicas, originUtc }: Summary): RecordedResults {
  const { window, stage, replica, cause, checkNext } = verdict;
  const effect =
    verdict.findings.find((each) => each.cause === cause && each.window?.from === window?.from)?.effect ??
    null;
  const utc = (us: number): string => new Date(Date.parse(originUtc) + us / 1_000).toISOString();
  return {
    stage: verdict.severity === "none" || stage === null ? null : stageText(stage, replica, replicas),
    window: window && { from: utc(window.from), to: utc(window.to) },
    p95InsideUs: effect?.p95Inside ?? null,
    p95OutsideUs: effect?.p95Outside ?? null,
    checkNext,
  };
}

/** "SQL2 log write", "network round trip to SQL2" */
function stageText(
  stage: NonNullable<Summary["verdict"]["stage"]>,
  replica: number | null,
  replicas: Summary["replicas"],
): string {
  const { kind, label } = stageDefinition(stage);
  const secondary = replicas[replica || (replicas.length === 2 ? 1 : Number.NaN)]?.name;
  if (kind === "network")
    return `${label.charAt(0).toLowerCase()}${label.slice(1)}${secondary === undefined ? "" : ` to ${secondary}`}`;
  return stageName(stage, {
    primary: replicas[0]?.name ?? "Primary",
    secondary: secondary ?? "Secondary",
  });
}

/** The picture of a capture, PNG of 1200 x 630, always light; null where it can't be drawn. */
export async function pictureOf(captures: RecordedCaptures, id: string): Promise<Buffer | null> {
  const [summary, preview] = await Promise.all([captures.summary(id), captures.preview(id)]);
  const last = summary.stages.length - 1;
  if (last < 0) return null;
  const [longest] = summary.verdict.episodes.toSorted((a, b) => b.to - b.from - (a.to - a.from));
  const secondary = longest?.secondary ?? (summary.verdict.replica ?? 1) - 1;
  const shown = Math.min(last, Math.max(0, secondary));
  return drawLink(linkFigures(summary, decodeWindow(preview), shown, null), "light");
}
