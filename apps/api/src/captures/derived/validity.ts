/** The one rule for valid derived data: this version computed it, from the capture's present data. */
import { hash } from "node:crypto";
import { evidenceSources } from "@aglens/engine/answers";
import { storedIn } from "../../store/capture-state.ts";
import type { StoredAnalysis } from "../../store/capture-state.ts";
import type { CaptureRecord } from "../../store/catalog.ts";
import { groupOf } from "../kept/group-name.ts";
import {
  type CapturePart,
  DERIVED,
  DERIVED_BLOBS,
  type DerivedName,
  type DerivedThing,
} from "./derived-things.ts";

/** Parts of a record from which validities follow; without `files` those that depend on them are unknown. */
export interface Origins {
  /** Undefined without an analysis. */
  readonly stored: StoredAnalysis | undefined;
  readonly files?: CaptureRecord["files"];
}

export const originsOf = (record: CaptureRecord): Origins => ({
  stored: storedIn(record),
  files: record.files,
});

/**
 * A digest over the version of a derived thing and all that it is made of. A kept thing carries it, and is valid while its capture's record
 * makes the same one. Null while a part of that is absent or unknown: nothing is kept then.
 */
export function validityOf(name: DerivedName, origins: Origins): string | null {
  const thing = DERIVED[name];
  const parts =
    thing.isRecorded === true
      ? recorded(thing, origins.stored)
      : [thing.version, ...thing.of.map((part) => partOf(part, origins))];
  if (parts === null || parts.slice(1).includes(null)) return null;
  return hash("sha256", JSON.stringify([name, ...parts]));
}

/** Files of an analysis are of the version that stored them, and a record has them only while its files are those that were analyzed. */
function recorded(
  { keep }: DerivedThing,
  stored: StoredAnalysis | undefined,
): (string | number | null)[] | null {
  if (stored === undefined || typeof keep === "string") return null;
  return [stored.format, ...keep.map((name) => stored.files[name]?.sha256 ?? null)];
}

function partOf(part: DerivedName | CapturePart, origins: Origins): string | null {
  if (part !== "event files" && part !== "evidence" && part !== "group") return validityOf(part, origins);
  const { files } = origins;
  if (files === undefined) return null;
  if (part === "group") return groupOf(files) ?? "";
  if (part === "evidence") return JSON.stringify(evidenceSources(files));
  return files
    .filter(({ kind, role, isMissing }) => isMissing !== true && (kind !== "evidence" || role !== "ignored"))
    .map(({ id, given }) => (given.utcOffsetMinutes === undefined ? id : `${id}@${given.utcOffsetMinutes}`))
    .join(" ");
}

/** Whether two records have the tables and the summary of one analysis. */
export const isSameAnalysis = (a: Origins, b: Origins): boolean =>
  (["tables", "summary"] as const).every((name) => validityOf(name, a) === validityOf(name, b));

/** Names of the derived files that a capture may have in its folder. */
export function derivedFilesOf({ stored }: Pick<Origins, "stored">): string[] {
  return stored === undefined ? [] : [...Object.keys(stored.files), ...DERIVED_BLOBS];
}
