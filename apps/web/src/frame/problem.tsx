import type { ReactNode } from "react";
import { Button } from "../ui/controls.tsx";
import { WarningIcon } from "./icons.tsx";

/** Why something is not there, where it would be, and the control that asks for it again. Renders nothing without one. */
export function Problem({
  sentence,
  onRetry,
  className = "notice",
}: {
  readonly sentence: string | null;
  readonly onRetry?: () => void;
  readonly className?: string;
}): ReactNode {
  if (sentence === null) return null;
  return (
    <p className={className} role="alert">
      <WarningIcon /> <span>{sentence}</span>
      {onRetry === undefined ? null : <Button onClick={onRetry}>Try again</Button>}
    </p>
  );
}
