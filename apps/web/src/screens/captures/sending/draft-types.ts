/** Types of a draft: its state, and the functions that its parts offer each other. */
import type { Capture, CaptureFile, FileCorrection, ReadSoFar, UploadInParts } from "@aglens/contract";
import type * as aglensClient from "../../../data/aglens-client.ts";
import type * as capturesClient from "../../../data/captures-client.ts";
import type * as partsUpload from "../../../data/parts-upload.ts";
import type { SizedFile } from "./parts-that-fit.ts";
import type { PickedFile } from "./picked-files.ts";

export interface Upload {
  readonly key: number;
  readonly name: string;
  readonly size: number;
  readonly sent: number;
  readonly problem: string | null;
  /** State of a file that is sent in parts; null for a file that is sent at once. */
  readonly parts: PartsState | null;
}

/** How a file that is sent in parts fares. */
export interface PartsState {
  /** Bytes that the server had when the sending last continued. */
  readonly kept: number;
  /** Bytes that it had after each interruption. */
  readonly breaks: readonly number[];
  /** Why it waits, and until when, ms since 1970; null while it is sent. */
  readonly waiting: { readonly sentence: string; readonly untilMs: number } | null;
  /** Expiry of the server's part, ms since 1970; null before the server has a part. */
  readonly keptUntilMs: number | null;
  /** The upload of the same name, when the file's content is different; null for all others. */
  readonly otherThan: UploadInParts | null;
  /** Null of a file that is not sent. */
  readonly reading: Reading | null;
}

/** Part of a file that the server has read while it is sent. */
export interface Reading {
  /** The last report of the server; null before the first one. */
  readonly read: ReadSoFar | null;
  /** The server reads the file, or the rest of it, once it is complete. */
  readonly isLater: boolean;
}

/** The reading of a file that is complete by now. */
export interface ReadingOfSent extends Reading {
  /** Key of the upload that sent the file. */
  readonly key: number;
}

/** An event of the upload, for users who were away. */
export interface UploadEvent {
  /** ms since 1970. */
  readonly atMs: number;
  readonly what: string;
  readonly detail: string;
}

/** Files that are not read before the user chose which of them to read. */
export interface TooLargeFiles {
  readonly files: readonly SizedFile[];
  /** Size of these files once they are read, and the size that fits in addition to the files that were read before. */
  readonly bytes: number;
  readonly mostBytes: number;
  readonly as: FileCorrection | undefined;
}

export interface Draft {
  readonly capture: Capture | null;
  readonly uploads: readonly Upload[];
  readonly notice: string | null;
  /** Uploads of the capture of which the server has a part, and whose files are not chosen here. */
  readonly kept: readonly UploadInParts[];
  /** Readings of files while they were sent, by the ids of the files in the capture. */
  readonly readings: ReadonlyMap<string, ReadingOfSent>;
  readonly isPaused: boolean;
  readonly events: readonly UploadEvent[];
  /** Adds files; the first ones create the capture. `as` assigns them to a replica. */
  readonly add: (files: readonly PickedFile[], as?: FileCorrection) => Promise<void>;
  /** Files that don't fit in the memory of a tab; null where all files fit. */
  readonly tooLarge: TooLargeFiles | null;
  /** Reads the chosen files and drops the others. */
  readonly takeTooLarge: (files: readonly SizedFile[]) => Promise<void>;
  /** Continues with a capture that was begun before. */
  readonly open: (id: string) => Promise<void>;
  /** Ends the sending of everything that is not on the server yet. */
  readonly stop: () => void;
  /** Pauses the files that are sent in parts. */
  readonly pause: () => void;
  /** Continues after a pause, and at once while the draft waits for the network. */
  readonly goOn: () => void;
  /** Ends the upload, and deletes the server's parts of incomplete files. */
  readonly throwAway: () => Promise<void>;
  /** Replaces an upload of which the server has a part by a different file. */
  readonly sendAnew: (key: number) => Promise<void>;
  readonly dismiss: (key: number) => void;
  readonly correct: (file: string, correction: FileCorrection) => Promise<void>;
  /** Takes files out of the capture. */
  readonly remove: (files: readonly string[]) => Promise<void>;
  readonly rename: (name: string) => Promise<void>;
  /** Starts over; the capture on the server stays. */
  readonly reset: () => void;
}

export type DraftClient = Pick<
  typeof capturesClient,
  "createCapture" | "readCapture" | "uploadFile" | "correctFile" | "removeFile" | "renameCapture"
> &
  Pick<typeof aglensClient, "openAglensFile"> &
  Pick<typeof partsUpload, "uploadsOfServer" | "sendInParts" | "discardUpload" | "headOf">;

export type SetDraft = (change: Partial<Draft> | ((draft: Draft) => Partial<Draft>)) => void;

export type GetDraft = () => Draft;

export interface Queued {
  readonly picked: PickedFile;
  readonly item: Upload;
  /** The upload that it carries on; null of one that is sent from its beginning. */
  readonly carriesOn: UploadInParts | null;
}

export interface UploadRows {
  /** @param carriedOn the uploads that some of them carry on */
  readonly append: (
    files: readonly PickedFile[],
    carriedOn?: ReadonlyMap<PickedFile, UploadInParts>,
  ) => Queued[];
  /** A file that is not sent before the user confirms it. */
  readonly appendOther: (picked: PickedFile, otherThan: UploadInParts) => void;
  /** Takes such a file out of the rows; null when the row has no such file. */
  readonly takeOther: (
    key: number,
  ) => { readonly picked: PickedFile; readonly otherThan: UploadInParts } | null;
  readonly patch: (key: number, change: Partial<Upload>) => void;
  readonly patchParts: (key: number, change: (parts: PartsState) => Partial<PartsState>) => void;
  readonly dismiss: (key: number) => void;
  /** A file became these files of the capture, which keep what was read of it during the upload. */
  readonly keepReading: (key: number, became: readonly CaptureFile[]) => void;
}

export interface CaptureOnServer {
  /** The capture to add to; made once, however many files arrive together. */
  readonly toAddTo: (signal: AbortSignal) => Promise<Capture>;
  /** The next file creates a new capture, unless one exists by then. */
  readonly forgetNew: () => void;
  /** Reads the capture again, in its state at the time of this call or later. */
  readonly refresh: () => Promise<void>;
  readonly change: (work: (id: string) => Promise<unknown>) => Promise<void>;
}
