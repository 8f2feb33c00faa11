import { type ReactNode, useLayoutEffect, useRef } from "react";
import { cutMiddle } from "./cut-middle.ts";

/** Letters of the end that stay as long as possible: names differ in them. */
const KEPT = 8;

interface Props {
  readonly text: string;
  readonly className?: string | undefined;
  /** The tooltip, where it is not the text. */
  readonly title?: string;
  /** Letters of the end that stay as long as possible. */
  readonly kept?: number;
}

/**
 * A text on one line whose middle gives way where it has no space. The document has the text once and undivided; the style sheet
 * draws the cut text over it.
 */
export function MiddleEllipsis({ text, className = "", title = text, kept = KEPT }: Props): ReactNode {
  const outer = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const element = outer.current;
    if (element === null) return undefined;
    const cut = (): void => cutTo(element, text, kept);
    cut();
    const observer = new ResizeObserver(cut);
    observer.observe(element);
    // A font that arrives later changes the width of the text, but not that of its box.
    document.fonts?.addEventListener("loadingdone", cut);
    return () => {
      observer.disconnect();
      document.fonts?.removeEventListener("loadingdone", cut);
    };
  }, [text, kept]);
  return (
    <span ref={outer} className={`middle-ellipsis ${className}`} title={title}>
      <span>{text}</span>
    </span>
  );
}

/** Has the style sheet draw the text with its middle cut, where it is wider than its box. */
function cutTo(element: HTMLElement, text: string, kept: number): void {
  const full = element.firstElementChild;
  const letters = full?.firstChild;
  if (!full || !letters) return;
  if (full.scrollWidth <= full.clientWidth) {
    delete element.dataset["cut"];
    return;
  }
  const range = document.createRange();
  const widthOf = (from: number, to: number): number => {
    range.setStart(letters, from);
    range.setEnd(letters, to);
    return range.getBoundingClientRect().width;
  };
  element.dataset["cut"] = cutMiddle(text, {
    widthOf,
    available: full.clientWidth,
    kept,
    dots: dotsWidth(element),
  });
}

let pen: CanvasRenderingContext2D | null = null;

/** Width of the ellipsis in the font of an element, px. */
function dotsWidth(element: HTMLElement): number {
  pen ??= document.createElement("canvas").getContext("2d");
  if (pen === null) return 0;
  pen.font = getComputedStyle(element).font;
  return pen.measureText("…").width;
}
