/** Instants of a capture as addresses have them. */
import { z } from "../zod.ts";

/**
 * An instant as text, µs from the capture's origin. No capture is longer than 285 years, up to which its µs are whole
 * numbers: within that every instant has a time of day, and the bins of a range have distinct edges.
 */
export const CaptureTime = z.coerce.number().min(-Number.MAX_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);

/** A range that is not empty. */
export const CaptureRange = z.tuple([CaptureTime, CaptureTime]).refine(([from, to]) => from < to);
