import type { ReactNode } from "react";
import type { Capture } from "@aglens/contract";
import { PageTitle } from "../../frame/page-title.tsx";
import { begunWords } from "./files-words.ts";

/** Name and day of a capture, for the app bar of a page that has no analysis yet. */
export function CaptureTitle({ capture }: { readonly capture: Capture }): ReactNode {
  return <PageTitle name={capture.name} note={begunWords(capture)} />;
}
