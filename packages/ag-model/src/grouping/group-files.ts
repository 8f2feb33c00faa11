/** Assigns files to servers and servers to captures: the entry point for all sources of files. */
import type { Topology } from "../replication/index.ts";
import { captureOf, type GroupedCapture } from "./captures.ts";
import { clustersOf } from "./clusters.ts";
import { partForwarders, type PartedServers } from "./forwarders.ts";
import { nameServers } from "./names.ts";
import { compareFiles, isBeginningOf, type FileToGroup } from "./files.ts";
import {
  beginning,
  behindForwarder,
  foreign,
  forwarder,
  eventsSkipped,
  otherTime,
  undecided,
  usedOnce,
  type GroupingWarning,
} from "./warnings.ts";
import { findServers } from "./servers.ts";
import { concludeIds } from "./unnamed-servers.ts";

export interface Grouping<File extends FileToGroup> {
  /** Newest first. */
  readonly captures: readonly GroupedCapture<File>[];
  /** Files that are in no capture: copies of others, files without an event of log blocks, and those of a distributed group's forwarder. */
  readonly unused: readonly { readonly file: File; readonly warning: GroupingWarning }[];
}

/**
 * Finds which server wrote each file and which servers belong to one capture. The result depends on neither the order
 * of the files nor how a server's events are split into files.
 * @param topologies one per topology file; a name joins replica ids within one only
 */
export function groupFiles<File extends FileToGroup>(
  files: readonly File[],
  topologies: readonly Topology[] = [],
): Grouping<File> {
  const { used, unused } = usable(files);
  const clusters = clustersOf(used, topologies);
  const found = clusters.map(({ family, files }) => {
    const { servers, undecided } = findServers(files, topologies);
    const parted = partForwarders(servers);
    unused.push(...filesOfForwarders(parted, topologies));
    const concluded = concludeIds(parted.servers, topologies);
    const doubtful = concluded.doubtful.flatMap((server) => server.files);
    const skippedIds = parted.forwarders.flatMap(({ ids }) => ids);
    return {
      family,
      ...concluded,
      skippedIds,
      open: [...new Set([...undecided, ...doubtful])].sort(compareFiles),
    };
  });
  const captures = found.map(({ family, servers, skippedIds, open }) => {
    const unrelated = found.filter((other) => other.family !== family).flatMap(({ servers }) => servers);
    const capture = captureOf(servers, unrelated, topologies);
    const warnings =
      open.length > 0 ? [undecided(open.map(({ name }) => name)), ...capture.warnings] : capture.warnings;
    const withoutFile = capture.withoutFile.filter(({ id }) => !skippedIds.includes(id));
    return { family, capture: { ...capture, withoutFile, warnings } };
  });
  return { captures: withNeighborWarnings(withUniqueNames(captures)), unused };
}

/** The files of forwarders and of their secondaries, each with the reason why it is skipped. */
function filesOfForwarders<File extends FileToGroup>(
  { servers, forwarders, behind }: PartedServers<File>,
  topologies: readonly Topology[],
): { file: File; warning: GroupingWarning }[] {
  if (forwarders.length === 0) return [];
  const names = nameServers([...forwarders, ...servers, ...behind], [], topologies).map(({ name }) => name);
  const list = names.slice(0, forwarders.length).join(", ");
  return [
    ...forwarders.flatMap(({ files }, f) =>
      files.map((file) => ({ file, warning: forwarder(pathOf(file), names[f]) })),
    ),
    ...behind.flatMap(({ files }) =>
      files.map((file) => ({ file, warning: behindForwarder(pathOf(file), list) })),
    ),
  ];
}

/**
 * Selects each content once, and the longest of several copies of a growing file, in an order of its own; files without
 * an event of log blocks are skipped.
 */
function usable<File extends FileToGroup>(
  files: readonly File[],
): { readonly used: readonly File[]; readonly unused: { file: File; warning: GroupingWarning }[] } {
  const used: File[] = [];
  const unused: { file: File; warning: GroupingWarning }[] = [];
  const byContent = new Map<string, File>();
  const corrected = ({ server }: File): number => (server === undefined ? 1 : 0);
  for (const file of [...files].sort((a, b) => corrected(a) - corrected(b) || compareFiles(a, b))) {
    const { name, hash, size, identity, events = identity.events } = file;
    const same = hash === "" ? undefined : byContent.get(`${size} ${hash}`);
    if (hash !== "") byContent.set(`${size} ${hash}`, same ?? file);
    if (same !== undefined) unused.push({ file, warning: usedOnce(pathOf(file), pathOf(same)) });
    else if (identity.logEvents === 0) unused.push({ file, warning: eventsSkipped(name, events) });
    else used.push(file);
  }
  // Only copies begin alike, so hundreds of files need not be compared with each other.
  const byBegin = Map.groupBy(used, ({ identity }) => identity.fromTicks);
  const whole = used.filter((file) => {
    const alike = byBegin.get(file.identity.fromTicks) ?? [];
    const later = longest(alike.filter((other) => isBeginningOf(file, other)));
    if (later !== undefined) unused.push({ file, warning: beginning(pathOf(file), pathOf(later)) });
    return later === undefined;
  });
  return { used: whole.sort(compareFiles), unused };
}

const longest = <File extends FileToGroup>(files: readonly File[]): File | undefined =>
  files.toSorted((a, b) => b.identity.events - a.identity.events)[0];

const pathOf = ({ folder, name }: FileToGroup): string => (folder === "" ? name : `${folder}/${name}`);

interface FamilyCapture<File extends FileToGroup> {
  readonly family: number;
  readonly capture: GroupedCapture<File>;
}

/** Newest first, and the second of two equal names with a number. */
function withUniqueNames<File extends FileToGroup>(
  captures: readonly FamilyCapture<File>[],
): FamilyCapture<File>[] {
  const taken = new Map<string, number>();
  return captures
    .toSorted(({ capture: a }, { capture: b }) =>
      a.fromTicks === b.fromTicks ? (a.name < b.name ? -1 : 1) : a.fromTicks > b.fromTicks ? -1 : 1,
    )
    .map(({ family, capture }) => {
      const count = (taken.get(capture.name) ?? 0) + 1;
      taken.set(capture.name, count);
      return count === 1
        ? { family, capture }
        : { family, capture: { ...capture, name: `${capture.name} (${count})` } };
    });
}

/** Each capture with a warning about its relation to the others. */
function withNeighborWarnings<File extends FileToGroup>(
  captures: readonly FamilyCapture<File>[],
): GroupedCapture<File>[] {
  return captures.map(({ family, capture }, i) => {
    const earlier = captures.find((other, o) => o > i && other.family === family)?.capture;
    const later = captures.findLast((other, o) => o < i && other.family === family)?.capture;
    const warnings = [...capture.warnings];
    if (earlier !== undefined) warnings.push(otherTime(earlier.name, capture.fromTicks - earlier.toTicks));
    else if (later !== undefined) warnings.push(otherTime(later.name, later.fromTicks - capture.toTicks));
    const isForeign =
      capture.servers.length === 1 &&
      captures.some((other) => other.family !== family && other.capture.servers.length > 1) &&
      !captures.some((other) => other.family === family && other.capture !== capture);
    if (isForeign) warnings.push(foreign(capture.servers[0].files.map(({ name }) => name)));
    return { ...capture, foreign: isForeign, warnings };
  });
}
