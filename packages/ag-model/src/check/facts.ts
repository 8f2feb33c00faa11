/** The facts of the files of a capture, together and by server. */
import { EVENTS, lostNumbers, MODES, type EventFile, type FileReading } from "../events/index.ts";
import type { CaptureModel } from "../replication/index.ts";

/** Facts from the files of one server. */
export interface ServerFacts {
  /** Name in the report: its role, and a number where several have it. */
  readonly name: string;
  readonly readings: readonly FileReading[];
  /** Its lost events, where event_sequence numbers all its events; else null. */
  readonly lost: { readonly events: number; readonly places: number } | null;
}

/** Facts from the files of a capture. */
export interface CaptureFacts {
  /** Null for files that are no capture. */
  readonly model: CaptureModel | null;
  readonly files: readonly EventFile[];
  readonly servers: readonly ServerFacts[];
  /** Readings of all files. */
  readonly readings: readonly FileReading[];
}

export function factsOf(model: CaptureModel): CaptureFacts {
  const byReplica = Map.groupBy(model.files, ({ replica }) => replica);
  const servers = [...byReplica].map(([replica, files]) => ({
    name: roleName(model, replica),
    readings: files.flatMap(({ reading }) => reading ?? []),
    lost: countedIn(model, replica),
  }));
  return { model, files: model.files, servers, readings: servers.flatMap(({ readings }) => readings) };
}

/** The facts of files that make no capture, as if each file belonged to a server of its own. */
export function factsOfFiles(files: readonly EventFile[]): CaptureFacts {
  const servers = files.map((file, index) => {
    const holes = lostNumbers([file])?.holes;
    return {
      name: `file ${index + 1}`,
      readings: file.reading === undefined ? [] : [file.reading],
      lost:
        holes === undefined ? null : { events: sumOf(holes, ({ events }) => events), places: holes.length },
    };
  });
  return { model: null, files, servers, readings: servers.flatMap(({ readings }) => readings) };
}

function countedIn({ countedLosses }: CaptureModel, replica: number): ServerFacts["lost"] {
  const loss = countedLosses?.find((each) => each.replica === replica);
  return loss === undefined ? null : { events: loss.lost, places: loss.places.length };
}

/** `primary`, or `secondary 2`: as the model numbers replicas. */
function roleName({ replicas }: CaptureModel, replica: number): string {
  return replica === 0 && replicas[0].role === "primary" ? "the primary" : `secondary ${replica}`;
}

/** Sum of a figure over readings. */
export const sumOf = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0);

/** Events of a kind and mode in the files of a server. */
export const eventsOf = (readings: readonly FileReading[], kind: number, mode: number): number =>
  sumOf(readings, ({ modes }) => modes[kind * MODES + mode] ?? 0);

export const nameOfKind = (kind: number): string => EVENTS[kind].name;
