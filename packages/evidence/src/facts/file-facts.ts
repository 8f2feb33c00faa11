import type { ChangeNight } from "../errorlog/local-time.ts";
import type { FileSeries, Remark } from "../samples/samples.ts";
import type { EvidenceEvent, GroupName, NotUnderstood, RecognizedFile, ReplicaName } from "../shapes.ts";

/** Everything that one file shows, without regard to other files. */
export interface FileFacts {
  /** `utcOffsetMinutes` is null where the file doesn't state it. */
  readonly file: RecognizedFile;
  readonly events: readonly EvidenceEvent[];
  /** Times of events are local, and the file doesn't state its offset from UTC. */
  readonly isLocal: boolean;
  readonly nights: readonly ChangeNight[];
  readonly series: readonly FileSeries[];
  readonly remarks: readonly Remark[];
  readonly names: readonly ReplicaName[];
  readonly groups: readonly GroupName[];
  readonly notUnderstood: NotUnderstood | null;
  /** Texts are here that may contain statements, logins or computers. */
  readonly keepsSensitive: boolean;
  /** Number of such texts that were dropped. */
  readonly dropped: number;
}

/** Facts of a file that isn't read. */
export const noFacts = (file: RecognizedFile): FileFacts => ({
  file,
  events: [],
  isLocal: false,
  nights: [],
  series: [],
  remarks: [],
  names: [],
  groups: [],
  notUnderstood: null,
  keepsSensitive: false,
  dropped: 0,
});
