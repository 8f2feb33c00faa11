import type { ReactNode } from "react";
import { frameTexts as texts } from "../messages/frame.ts";
import { Button } from "../ui/controls.tsx";
import { Notice } from "./notice.tsx";

interface Props {
  /** Null without a problem: nothing is rendered. */
  readonly sentence: string | null;
  /** Requests the missing data again; absent where that would not help. */
  readonly onRetry?: () => void;
}

/** Reason why data is missing, in its place, and a control that requests it again. */
export function Problem({ sentence, onRetry }: Props): ReactNode {
  if (sentence === null) return null;
  return (
    <Notice role="alert">
      {sentence}
      {onRetry === undefined ? null : (
        <>
          {" "}
          <Button onClick={onRetry}>{texts.tryAgain}</Button>
        </>
      )}
    </Notice>
  );
}
