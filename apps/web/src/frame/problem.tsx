import type { ReactNode } from "react";
import { Button } from "../ui/controls.tsx";
import { Notice } from "./notice.tsx";

interface Props {
  /** Null where all is well: nothing is rendered. */
  readonly sentence: string | null;
  /** Asks again for what could not be had; absent where that would not help. */
  readonly onRetry?: () => void;
}

/** Why something is not there, where it would be, and the control that asks for it again. */
export function Problem({ sentence, onRetry }: Props): ReactNode {
  if (sentence === null) return null;
  return (
    <Notice role="alert">
      {sentence}
      {onRetry === undefined ? null : (
        <>
          {" "}
          <Button onClick={onRetry}>Try again</Button>
        </>
      )}
    </Notice>
  );
}
