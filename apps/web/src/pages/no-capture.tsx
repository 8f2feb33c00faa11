import type { ReactNode } from "react";
import { Message, Page } from "../frame/page.tsx";
import { KeepKeys } from "../ui/keys.ts";

interface Props {
  /** A sentence; null while the capture is on its way. */
  readonly error: string | null;
  readonly onRetry: () => void;
}

/** In the place of a capture that cannot be had, or is not there yet. */
export function NoCapture({ error, onRetry }: Props): ReactNode {
  return error === null ? (
    <Page title="">
      <KeepKeys />
    </Page>
  ) : (
    <Page title="Capture">
      <Message title="This capture cannot be opened." detail={error} onRetry={onRetry} />
    </Page>
  );
}
