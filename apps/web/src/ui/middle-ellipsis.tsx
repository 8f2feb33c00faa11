import type { ReactNode } from "react";

/** Letters at the end that stay, however narrow the room: what names differ in, and what follows a name. */
const KEPT = 14;

/** A text on one line whose middle gives way where there is no room for it; the whole of it is a tooltip. */
export function MiddleEllipsis({
  text,
  className = "",
}: {
  readonly text: string;
  readonly className?: string | undefined;
}): ReactNode {
  const cut = Math.max(0, text.length - KEPT);
  return (
    <span className={`middle-ellipsis ${className}`} title={text}>
      <span>{text.slice(0, cut)}</span>
      <span>{text.slice(cut)}</span>
    </span>
  );
}
