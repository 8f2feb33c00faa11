import { problem } from "@aglens/engine/problems";

/** Error for a capture that was uploaded only as an `.aglens` file. */
export const filesMissing = (): Error =>
  problem(
    "files-missing",
    "The capture came as an .aglens file without its event files: it can be looked at, but not analyzed again before its event files are given to it.",
  );
