/** Tags of captures: words by which people sort them, kept in the capture's record. */
import { MOST_TAGS } from "@aglens/contract";
import { problem } from "@aglens/engine/problems";
import type { CaptureRecord } from "../../store/catalog.ts";

type Tagged = Pick<CaptureRecord, "tags">;

/**
 * Tags as a record stores them: each once, in alphabetical order; no property without tags. @throws ProblemError
 * `too-many-tags`
 */
export function keptTags(tags: readonly string[]): Tagged {
  const kept = [...new Set(tags)].toSorted();
  if (kept.length > MOST_TAGS)
    throw problem("too-many-tags", `A capture has up to ${MOST_TAGS} tags. Take one off first.`);
  return kept.length === 0 ? {} : { tags: kept };
}

/** The record with a tag; as it is where it has it. @throws ProblemError `too-many-tags` */
export function withTag(record: CaptureRecord, tag: string): CaptureRecord {
  const { tags = [] } = record;
  return tags.includes(tag) ? record : { ...record, ...keptTags([...tags, tag]) };
}

/** The record without a tag; as it is where it does not have it. */
export function withoutTag(record: CaptureRecord, tag: string): CaptureRecord {
  const { tags = [], ...rest } = record;
  return tags.includes(tag) ? { ...rest, ...keptTags(tags.filter((each) => each !== tag)) } : record;
}
