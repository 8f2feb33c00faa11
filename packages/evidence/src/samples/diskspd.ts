/** Results of Diskspd, as text (`-L`) and XML (`-Rxml -L`): percentiles of the latency of writes. */
import { remark, type FileSeries, type SampleOptions, type Samples } from "./samples.ts";
import { shortText } from "./text-lines.ts";
import { childText, elementsNamed, readXml } from "./xml-tree.ts";

/** Percentiles of the latency of writes in one run. */
export interface DiskspdResult {
  /** In ms, by rising percentile from 0 to 100. */
  readonly writeMs: readonly (readonly [percent: number, ms: number])[];
  /** Files that were written, as Diskspd names them. */
  readonly paths: readonly string[];
  /** Start of the run in µs since 1970; null where the result does not state it. */
  readonly startUs: number | null;
  /** Further time spans of the same result, which aren't used. */
  readonly furtherSpans: number;
}

/** The text has no latencies of writes; a sentence with the reason and the next step. */
export interface DiskspdRefusal {
  readonly refused: string;
}

const LONGEST = 16 * 1024 * 1024;
const TABLE = /^\s*%-ile\s*\|/u;
const LINE = /^\s*(min|max|\d{1,2}(?:st|nd|rd|th)|\d-nines)\s*\|[^|]*\|\s*(\d+(?:\.\d+)?)\s*\|/u;
const RUN_AGAIN = "Run Diskspd with -L and writes (-w100).";

/** Percentiles of the text's table; the XML has all from 0 to 100. */
const PRINTED = new Set([
  0, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 99.999, 99.9999, 99.99999, 99.999999, 99.9999999, 100,
]);

/** Percentiles that become series. */
const SHOWN: readonly (readonly [percent: number, name: string])[] = [
  [50, "p50"],
  [95, "p95"],
  [99, "p99"],
  [99.9, "p99.9"],
  [100, "max"],
];

/** Reads a result as text or XML. */
export function readDiskspdText(text: string): DiskspdResult | DiskspdRefusal {
  return /^\uFEFF?\s*</u.test(text) ? fromXml(text) : fromText(text);
}

/** Reads a file with a result into series, one for each percentile that screens show. */
export async function readDiskspd(
  chunks: AsyncIterable<Uint8Array>,
  { file, server }: SampleOptions,
): Promise<Samples> {
  const text = await shortText(chunks, LONGEST);
  const found =
    text === null ? { refused: "The file is too long for a result of Diskspd." } : readDiskspdText(text);
  if ("refused" in found)
    return { series: [], server, remarks: [remark(found.refused)], notUnderstood: null };
  const points = new Map(found.writeMs);
  const atUs = Float64Array.of(found.startUs ?? Number.NaN);
  const series = SHOWN.flatMap(([percent, name]): FileSeries[] => {
    const ms = points.get(percent);
    if (ms === undefined) return [];
    return [
      {
        metric: `reference log write ${name}`,
        unit: "ms",
        server,
        of: volumeOf(found.paths),
        form: "reference",
        atUs,
        values: Float64Array.of(ms),
        source: { file, column: `Write (ms) ${name}` },
        isLocal: false,
      },
    ];
  });
  const remarks =
    found.furtherSpans === 0
      ? []
      : [remark(`The result has ${found.furtherSpans + 1} time spans. AG Lens uses the first one.`)];
  return { series, server, remarks, notUnderstood: null };
}

/**
 * Figure of a result for `write:NAME:`, such as `p0=0.318ms,p50=0.49ms`; null when the text has no percentiles of write
 * latency.
 */
export function diskspdFigure(text: string): string | null {
  const found = readDiskspdText(text);
  if ("refused" in found) return null;
  return found.writeMs.map(([percent, ms]) => `p${percent}=${ms}ms`).join(",");
}

function fromText(text: string): DiskspdResult | DiskspdRefusal {
  // Rows that a user copied have no head.
  const tables: [number, number][][] = [[]];
  let hasTable = false;
  for (const line of text.split(/\r?\n/u)) {
    if (TABLE.test(line)) {
      hasTable = true;
      tables.push([]);
    }
    const found = LINE.exec(line);
    if (found !== null) tables.at(-1)?.push([percentOf(found[1] ?? ""), Number(found[2])]);
  }
  const spans = tables.filter((points) => points.length > 1);
  const writeMs = spans[0];
  if (writeMs !== undefined)
    return {
      writeMs,
      paths: unique(Array.from(text.matchAll(/^\s*path: '([^']+)'/gmu), ([, path = ""]) => path)),
      startUs: startOf(/^\s*start time:\s*(.*)$/mu.exec(text)?.[1]),
      furtherSpans: spans.length - 1,
    };
  if (hasTable) return { refused: `The result of Diskspd has no latency of writes. ${RUN_AGAIN}` };
  return { refused: `The result of Diskspd has no latencies. ${RUN_AGAIN}` };
}

function fromXml(text: string): DiskspdResult | DiskspdRefusal {
  const { roots, isWhole } = readXml(text);
  const spans = elementsNamed(elementsNamed(roots, "Results"), "TimeSpan").filter(
    (span) => elementsNamed(span.children, "TestTimeSeconds").length > 0 || hasLatency(span.children),
  );
  if (spans.length === 0)
    return {
      refused: isWhole
        ? "A profile of Diskspd without results. Provide the output of the run."
        : "The XML of Diskspd is damaged before its results. Provide the file again.",
    };
  const all = spans.map((span) => bucketsOf(span.children)).filter((points) => points.length > 1);
  const writeMs = all[0];
  if (writeMs === undefined)
    return { refused: `The result of Diskspd has no latency of writes. ${RUN_AGAIN}` };
  return {
    writeMs,
    paths: unique(elementsNamed(roots, "Path").map((path) => path.text.trim())),
    startUs: startOf(elementsNamed(roots, "RunTime")[0]?.text),
    furtherSpans: all.length - 1,
  };
}

type Nodes = Parameters<typeof elementsNamed>[0];

const hasLatency = (nodes: Nodes): boolean => elementsNamed(nodes, "Latency").length > 0;

/** Buckets of a time span's own latency; those of each file are in its targets. */
function bucketsOf(nodes: Nodes): [number, number][] {
  const latency = nodes.find(({ name }) => name === "Latency");
  return (latency?.children ?? []).flatMap((bucket): [number, number][] => {
    const percent = Number(childText(bucket, "Percentile") ?? Number.NaN);
    const ms = Number(childText(bucket, "WriteMilliseconds") ?? Number.NaN);
    return PRINTED.has(percent) && ms >= 0 && Number.isFinite(ms) ? [[percent, ms]] : [];
  });
}

function percentOf(word: string): number {
  if (word === "min") return 0;
  if (word === "max") return 100;
  if (!word.endsWith("-nines")) return Number.parseInt(word, 10);
  return Number((100 * (1 - 10 ** -Number(word[0]))).toFixed(7));
}

/** Reads `2026/05/14 02:00:00 UTC`. */
function startOf(text: string | undefined): number | null {
  const found = /(\d{4})\/(\d\d)\/(\d\d) (\d\d:\d\d:\d\d) UTC/u.exec(text ?? "");
  const ms = found === null ? Number.NaN : Date.parse(`${found[1]}-${found[2]}-${found[3]}T${found[4]}Z`);
  return Number.isNaN(ms) ? null : ms * 1000;
}

/** Volume of the files, where all are on one; the names of files stay in the result. */
function volumeOf(paths: readonly string[]): string | null {
  const volumes = unique(
    paths.map((path) => /^(?:\\\\\.\\)?([a-z]:)/iu.exec(path)?.[1]?.toUpperCase() ?? ""),
  );
  return volumes.length === 1 ? (volumes[0] ?? null) : null;
}

const unique = (texts: readonly string[]): string[] =>
  Array.from(new Set(texts)).filter((text) => text !== "");
