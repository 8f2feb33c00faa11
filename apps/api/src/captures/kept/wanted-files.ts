/** The files of captures as their blobs are asked for. */
import type { CaptureFile } from "@aglens/contract";
import type { WantedBlobs } from "../../store/blobs.ts";

/** Files that are there and used. */
export const wantedFiles = (files: readonly CaptureFile[]): WantedBlobs =>
  wantedBlobs(files.filter(({ role, isMissing }) => role !== "ignored" && isMissing !== true));

/** All of some files. */
export function wantedBlobs(files: readonly CaptureFile[]): WantedBlobs {
  return Object.fromEntries(
    files.map(({ id, size, keptSha256 }) => [
      id,
      keptSha256 === undefined ? undefined : { bytes: size, sha256: keptSha256 },
    ]),
  );
}
