import type { ReactNode } from "react";
import type { Capture } from "@aglens/contract";
import { PageTitle } from "../../frame/page-title.tsx";
import { begunText } from "./files-text.ts";

/** Name and day of a capture, for the app bar of a page that has no analysis yet. */
export function CaptureTitle({ capture }: { readonly capture: Capture }): ReactNode {
  return <PageTitle name={capture.name} note={begunText(capture)} />;
}
