/** Tags: words by which users sort captures. */
import { shownText } from "../shown-text.ts";
import { z } from "../zod.ts";

/** UTF-16 units of a tag. */
export const LONGEST_TAG = 40;
/** Tags of one capture. */
export const MOST_TAGS = 20;

/**
 * In lower case, so that users don't have to remember the spelling of a tag; without quotes and commas, which searches
 * and lists use.
 */
export const Tag = shownText(LONGEST_TAG)
  .normalize()
  .toLowerCase()
  .regex(/^[^",]+$/u, "A tag can't contain quotes or commas");

export const NewTag = z.object({ tag: Tag });
