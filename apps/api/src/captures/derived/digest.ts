/** Digest of an analyzed capture, which lists show next to its verdict: a few figures and the minimap as a line of text. */
import { decodeWindow, Summary } from "@aglens/contract";
import { encodeGlyph, GLYPH_COLUMNS, minimapColumns } from "@aglens/ag-model/minimap";
import type { AnalysisResults, CaptureDigest, StoredAnalysis } from "../../store/capture-state.ts";
import { DERIVED } from "./derived-things.ts";
import { fleetFiguresOf } from "./fleet-figures.ts";
import { validityOf } from "./validity.ts";

/** Parts of the summary that the digest needs. */
const SummaryPart = Summary.pick({ durationUs: true, commits: true, phases: true, pauses: true });

/** The path to the first secondary, as in every minimap of an entire capture. */
const SECONDARY = 0;

/**
 * The digest of a stored analysis; null when the files are not those of an analysis.
 * @param summary JSON of the summary
 * @param preview the entire capture in bins, as Arrow
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
    // Lists show the capture without its figures; opening it shows the error with the damaged file.
    return null;
  }
}

/** Version of the digests that were stored without their validity, next to the analysis that they are of. */
const EARLIER_VERSION = 2;

/** Whether the results of an analysis have their digest. One that could not be made counts too: it isn't made again. */
export function hasDigest({ stored, digest }: AnalysisResults): boolean {
  if (digest === null) return true;
  if (digest?.validity !== undefined) return digest.validity === validityOf("digest", { stored });
  // Version 1 had no figures of the fleet.
  return digest?.fleet !== undefined && DERIVED.digest.version === EARLIER_VERSION;
}

/** A digest as the record keeps it. @param stored the analysis that it is made of */
export function recordedDigest(digest: CaptureDigest | null, stored: StoredAnalysis): CaptureDigest | null {
  const validity = validityOf("digest", { stored });
  return digest === null || validity === null ? null : { ...digest, validity };
}
