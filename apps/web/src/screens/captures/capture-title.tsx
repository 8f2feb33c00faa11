import type { ReactNode } from "react";
import type { Capture } from "@aglens/contract";
import { begunWords } from "./files-words.ts";

/** Name and day of a capture, for the app bar of a page that has no analysis yet. */
export function CaptureTitle({ capture }: { readonly capture: Capture }): ReactNode {
  return (
    <>
      <b title={capture.name}>{capture.name}</b>
      <span className="quiet">{begunWords(capture)}</span>
    </>
  );
}
