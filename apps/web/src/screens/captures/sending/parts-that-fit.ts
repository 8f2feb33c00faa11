/**
 * Selects the files that fit when there are too many event files: the files of one period, or some files over all of
 * the time. The selection uses file names, before any file is read.
 */
import type { PickedFile } from "./picked-files.ts";

/** A file with its bytes once it is read; a zip has more than its own. */
export interface SizedFile {
  readonly picked: PickedFile;
  readonly bytes: number;
}

/** Files that fit together. */
export interface Part {
  readonly files: readonly SizedFile[];
  readonly bytes: number;
}

/** Files of consecutive times; FILETIME ticks, `to` null where the last file has no next. */
export interface FilePeriod extends Part {
  readonly from: bigint;
  readonly to: bigint | null;
}

/** Every n-th file of the server with the fewest files, and the other servers' files of the same time. */
export interface EveryNth extends Part {
  readonly n: number;
}

export interface PartsThatFit {
  /**
   * One period for each time at which a file begins, in their order; empty where names contain no times, or a single
   * moment does not fit.
   */
  readonly periods: readonly FilePeriod[];
  readonly everyNth: EveryNth | null;
}

/** `session_0_133775923380250000.xel`: assumed: SQL Server names a file by the time at which it begins, FILETIME ticks (100 ns since 1601; docs/evidence.md 1). */
const ROLLOVER = /^(.*)_\d+_(\d{17,19})\.xel$/iu;
/** A time after every file. */
const NO_END = 2n ** 63n;

/** Beginning of a file by its name, ticks; null for a name of another form. */
function beginOf({ picked }: SizedFile): bigint | null {
  const ticks = ROLLOVER.exec(picked.file.name)?.[2];
  return ticks === undefined ? null : BigInt(ticks);
}

/** Files of one session of one server have a folder and the beginning of their name in common. */
function serverOf({ picked: { file, path } }: SizedFile): string {
  const folder = path.slice(0, Math.max(0, path.length - file.name.length));
  return `${folder}${ROLLOVER.exec(file.name)?.[1] ?? file.name}`;
}

interface TimedFile {
  readonly file: SizedFile;
  readonly from: bigint;
  /** End of the file; NO_END for a server's last one. */
  readonly to: bigint;
}

/** @param files files without the name of an event file are in every part @param mostBytes that fit */
export function partsThatFit(files: readonly SizedFile[], mostBytes: number): PartsThatFit {
  const events = files.filter(({ picked }) => /\.xel$/iu.test(picked.file.name));
  const others = files.filter((file) => !events.includes(file));
  const servers = timedServers(events);
  if (servers === null) return { periods: [], everyNth: null };
  const partOf = (chosen: ReadonlySet<SizedFile>): Part => {
    const all = [...others, ...events.filter((file) => chosen.has(file))];
    return { files: all, bytes: all.reduce((sum, { bytes }) => sum + bytes, 0) };
  };
  const fits = ({ bytes }: Part): boolean => bytes <= mostBytes;
  return { periods: eventRunsOf(servers, partOf, fits), everyNth: everyNthOf(servers, partOf, fits) };
}

type PartOf = (chosen: ReadonlySet<SizedFile>) => Part;
type Fits = (part: Part) => boolean;

/** Each server's files in order of time; null where a name contains no time. */
function timedServers(events: readonly SizedFile[]): TimedFile[][] | null {
  if (events.length === 0 || events.some((file) => beginOf(file) === null)) return null;
  return [...Map.groupBy(events, serverOf).values()].map((own) => {
    const begins = own
      .map((file) => ({ file, from: beginOf(file) ?? 0n }))
      .toSorted((a, b) => Number(a.from - b.from));
    return begins.map((begun, i) => ({ ...begun, to: begins[i + 1]?.from ?? NO_END }));
  });
}

const within = (servers: readonly TimedFile[][], from: bigint, to: bigint): Set<SizedFile> =>
  new Set(
    servers
      .flat()
      .filter((timed) => timed.from < to && timed.to > from)
      .map(({ file }) => file),
  );

/** For each time at which a file begins, the longest period that fits. */
function eventRunsOf(servers: readonly TimedFile[][], partOf: PartOf, fits: Fits): FilePeriod[] {
  const times = [...new Set(servers.flat().map(({ from }) => from))].toSorted((a, b) => Number(a - b));
  return times.flatMap((from, first) => {
    let longest: FilePeriod | null = null;
    for (const to of [...times.slice(first + 1), NO_END]) {
      const part = partOf(within(servers, from, to));
      if (!fits(part)) break;
      longest = { ...part, from, to: to === NO_END ? null : to };
    }
    return longest ?? [];
  });
}

/**
 * Servers roll over at different times. The files of the server with the fewest files determine the periods, so that
 * each moment has the files of all servers.
 */
function everyNthOf(servers: readonly TimedFile[][], partOf: PartOf, fits: Fits): EveryNth | null {
  const coarsest = servers.reduce((a, b) => (b.length < a.length ? b : a));
  for (let n = 2; n < coarsest.length; n++) {
    const chosen = coarsest
      .filter((_, i) => i % n === 0)
      .flatMap(({ from, to }) => [...within(servers, from, to)]);
    const part = partOf(new Set(chosen));
    if (fits(part)) return { ...part, n };
  }
  return null;
}
