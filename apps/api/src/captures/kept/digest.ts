/** What lists show of an analysed capture beside its verdict: a few figures and the minimap as a line of text. */
import { decodeWindow, Summary } from "@aglens/contract";
import { encodeGlyph, GLYPH_COLUMNS, minimapColumns } from "@aglens/ag-model/minimap";
import type { CaptureDigest } from "../../store/catalogue.ts";
import { fleetFiguresOf } from "./fleet-figures.ts";

/** What of the summary is read. */
const SummaryPart = Summary.pick({ durationUs: true, commits: true, phases: true, pauses: true });

/** As every minimap of a whole capture: the path to the first secondary. */
const SECONDARY = 0;

/**
 * The digest of what an analysis stored; null when the files are not what an analysis stores.
 * @param summary JSON of the summary
 * @param preview the whole capture in bins, as Arrow
 */
export function digestOf(summary: Uint8Array, preview: Uint8Array): CaptureDigest | null {
  try {
    const read: unknown = JSON.parse(new TextDecoder().decode(summary));
    const part = SummaryPart.parse(read);
    const { durationUs, commits } = part;
    const columns = minimapColumns(decodeWindow(preview), SECONDARY, GLYPH_COLUMNS, part);
    return {
      durationUs,
      p95Us: commits.latency.p95,
      glyph: encodeGlyph(columns),
      fleet: fleetFiguresOf(read),
    };
  } catch {
    // Lists show the capture without its figures; whoever opens it gets the sentence on what is damaged.
    return null;
  }
}
