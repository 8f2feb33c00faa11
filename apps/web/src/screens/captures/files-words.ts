/** What the first screen says of a replica's files: how many, whether they follow each other, what their roles rest on. */
import type { Capture, CaptureFile } from "@aglens/contract";
import { durationText } from "../../ui/words.ts";
import type { ServerFiles } from "./capture-groups.ts";
import { type ReplicaFiles, unixMs } from "./replica-files.ts";

/** A session that writes into the next file leaves no more than this between the two, ms. */
const CONTIGUOUS_MS = 1000;

/** `3 rollover files, contiguous`, or the longest time between two of them. */
export function rolloverWords({ files }: ReplicaFiles): string {
  const hole = longestHole(files);
  const order = hole <= CONTIGUOUS_MS ? "contiguous" : `up to ${durationText(hole * 1000)} between them`;
  return `${files.length} rollover files, ${order}`;
}

/** Longest time that no file covers between the first and the last of them, ms. */
function longestHole(files: readonly CaptureFile[]): number {
  let covered = Number.POSITIVE_INFINITY;
  let longest = 0;
  for (const file of files) {
    const from = unixMs(file.from);
    const to = unixMs(file.to);
    if (from === null || to === null) continue;
    longest = Math.max(longest, from - covered);
    covered = Number.isFinite(covered) ? Math.max(covered, to) : to;
  }
  return longest;
}

/** `02:16:55.8 to 02:18:28.2 UTC`, from the first event of these files to the last; files are in order of their begin. */
export function rangeWords(files: readonly CaptureFile[]): string {
  const froms = files.flatMap(({ from }) => (from === null ? [] : [from]));
  const tos = files.flatMap(({ to }) => (to === null ? [] : [to]));
  const [first] = froms.toSorted();
  const last = tos.toSorted().at(-1);
  if (first === undefined || last === undefined) return "no event with a time";
  return `${first.slice(11, 21)} to ${last.slice(11, 21)} UTC`;
}

/** `File 2 of 3`, in order of their begin. */
export function fileOf(replica: ReplicaFiles, file: CaptureFile): string {
  return `File ${replica.files.indexOf(file) + 1} of ${replica.files.length}`;
}

const FOUND_BY = { primary: "log capture on", secondary: "log receive on" } as const;
const FOUND_BY_BOTH = "log capture and log receive on";

/** `Roles come from the events in each file: log capture on SQL1, log receive on SQL2.` */
export function roleWords(servers: readonly (ReplicaFiles & Partial<ServerFiles>)[]): string {
  const recognised = servers.filter(({ files }) => files.every((file) => file.given.role === undefined));
  if (recognised.length === 0) return "Roles are as you set them.";
  const found = recognised
    .map(
      ({ role, name, roleSteps = [] }) => `${roleSteps.length > 1 ? FOUND_BY_BOTH : FOUND_BY[role]} ${name}`,
    )
    .join(", ");
  const rest = recognised.length < servers.length ? " The others are as you set them." : "";
  return `Roles come from the events in each file: ${found}.${rest}`;
}

/** True where the user took a file in whose events show no role: somebody has to look. */
export const needsLook = (replicas: readonly ReplicaFiles[]): boolean =>
  replicas.some(({ files }) =>
    files.some((file) => file.detectedRole === "unknown" && file.given.role !== undefined),
  );

/** When a capture begins: `2016-05-06`, or with 16 digits `2016-05-06 02:16 UTC`; empty when no file shows it. */
export function begunWords({ files }: Pick<Capture, "files">, digits: 10 | 16 = 10): string {
  const [first] = files
    .flatMap(({ from, role }) => (from === null || role === "ignored" ? [] : [from]))
    .toSorted((a, b) => a.localeCompare(b));
  return instantWords(first ?? null, digits);
}

/** A UTC instant as far as its day or its minute; empty for none. */
export function instantWords(instant: string | null, digits: 10 | 16): string {
  if (instant === null) return "";
  return digits === 10 ? instant.slice(0, 10) : `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;
}

/** A replica that nobody has named goes by its role, which stands beside it already. */
export const isNamed = ({ name, role }: Pick<ReplicaFiles, "name" | "role">): boolean =>
  name.toLowerCase() !== role;
