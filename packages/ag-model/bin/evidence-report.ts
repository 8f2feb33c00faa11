/** The evidence of files in addition to data-movement events, in the output of `xel analyze`. */
import type { Agreement, FolderEvidence, RecognizedFile } from "@aglens/evidence";

/** The evidence in the shape that `--json` prints; times in µs since 1970. Samples are too many for it. */
interface EvidenceJson extends Omit<FolderEvidence, "series" | "groups" | "offsets"> {
  readonly agreement: readonly Agreement[];
  readonly utcOffsets: FolderEvidence["offsets"];
}

export function evidenceJson(
  { files, events, cause, failovers, names, notUnderstood, offsets }: FolderEvidence,
  agreement: readonly Agreement[],
): EvidenceJson {
  return {
    files,
    events,
    cause,
    failovers,
    names,
    notUnderstood,
    agreement: agreement.map(({ rule, agrees, server, text, sources }) => ({
      rule,
      agrees,
      server,
      text,
      sources,
    })),
    utcOffsets: offsets,
  };
}

/** JSON of an answer; a block id has more digits than a number of JSON. */
export const jsonText = (answer: unknown): string =>
  JSON.stringify(answer, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value), 1);

/** The evidence as text: failovers with their causes, what agrees, events by time, and the use of each file. */
export function evidenceText(
  { events, failovers, files, notUnderstood, offsets }: FolderEvidence,
  agreement: readonly Agreement[],
): string {
  return [
    ...(failovers.length > 0 ? failovers.map(({ text }) => text) : ["These files don't show a failover."]),
    ...section("Events by time (UTC)", events.map(eventLine)),
    ...section("Do the sources agree?", agreement.map(agreementLine)),
    ...section("Used", inState(files, "used")),
    ...section("Convert", inState(files, "convert")),
    ...section("Not used", [...inState(files, "notUsed"), ...inState(files, "damaged")]),
    ...section(
      "Not understood",
      notUnderstood.map(({ file, count, first: [first = ""] }) => `${file}: ${count}, such as: ${first}`),
    ),
    ...section(
      "Time zones",
      offsets.map(({ server, utcOffsetMinutes }) => `${server}: ${offsetText(utcOffsetMinutes)}`),
    ),
  ].join("\n");
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ["", title, ...lines.map((line) => `  ${line}`)];

const inState = (files: readonly RecognizedFile[], state: RecognizedFile["state"]): string[] =>
  files.filter((file) => file.state === state).map(({ name, use }) => `${name}: ${use}`);

function eventLine({ atUs, server, text, sources }: FolderEvidence["events"][number]): string {
  const time = new Date(atUs / 1000).toISOString().replace("T", " ").replace("Z", "");
  const seen = sources.length > 1 ? ` (${sources.length} sources)` : "";
  return `${time}  ${(server ?? "").padEnd(12)} ${text}${seen}`;
}

const ANSWERS = new Map<boolean | null, string>([
  [false, "no"],
  [true, "yes"],
  [null, "-"],
]);
const agreementLine = ({ agrees, text }: Agreement): string => `${ANSWERS.get(agrees)!.padEnd(4)}${text}`;

function offsetText(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const sign = minutes < 0 ? "-" : "+";
  return `UTC${sign}${String(hours).padStart(2, "0")}:${String(rest).padStart(2, "0")}`;
}
