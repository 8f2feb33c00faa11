import type { ReactNode } from "react";

/** Letters of the end that stay as long as possible, because names differ there. */
const KEPT = 8;
/** Longest text that is not cut in its middle, letters. */
const SHORT = 7;

interface Props {
  readonly text: string;
  readonly className?: string | undefined;
  /** The tooltip, where it is not the text. */
  readonly title?: string;
  /** Letters of the end that stay as long as possible. */
  readonly kept?: number;
}

/**
 * A text on one line whose middle is shortened where there is no room for it. The style sheet draws the two halves, so
 * that the document has the text once and undivided.
 */
export function MiddleEllipsis({ text, className = "", title = text, kept = KEPT }: Props): ReactNode {
  const cut = text.length <= SHORT ? 0 : Math.max(Math.ceil(text.length / 2), text.length - kept);
  return (
    <span className={`middle-ellipsis ${className}`} title={title}>
      <span className="sr-only">{text}</span>
      <i aria-hidden="true" data-text={text.slice(0, cut)} />
      <i aria-hidden="true" data-text={text.slice(cut)} />
    </span>
  );
}
