import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { frameTexts as texts } from "../messages/frame.ts";
import { definitionOf, isTerm, type TermId } from "../messages/terms.ts";
import { navigate } from "../state/navigate.ts";
import { useKeys } from "../ui/keys.ts";
import styles from "./term-tip.module.css";

/** Time that the pointer has to rest on a name before its definition opens, and then to reach the definition, ms. */
const REST_MS = 400;
const GAP_PX = 6;
const EDGE_PX = 8;

interface Shown {
  readonly id: TermId;
  readonly element: Element;
  /** More about the element itself, after the definition; null without a note. */
  readonly note: string | null;
}

/** The definition of the name that has the pointer or the focus (`ui/term.tsx`); one for all names of a page. */
export function TermTip(): ReactNode {
  const tip = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => watchTerms(tip, setShown), []);
  useEffect(() => {
    if (tip.current === null || shown === null) return;
    const panel = tip.current;
    panel.showPopover();
    place(panel, shown.element);
    return () => panel.hidePopover();
  }, [shown]);
  useKeys(shown === null ? {} : { definition: () => navigate(`/help/${definitionOf(shown.id).help}`) });
  return (
    <div ref={tip} popover="manual" className={styles.tip} role="tooltip">
      {shown === null ? null : <Definition {...shown} />}
    </div>
  );
}

function Definition({ id, note }: Shown): ReactNode {
  const { name, sentence, source, help } = definitionOf(id);
  return (
    <>
      <p>
        <b>{name}.</b> {sentence}
      </p>
      {note === null ? null : <p>{note}</p>}
      <p className="muted">{texts.source(source)}</p>
      <Link href={`/help/${help}`} tabIndex={-1}>
        {texts.help}
      </Link>{" "}
      <kbd>F1</kbd>
    </>
  );
}

/** Calls `show` with the name under the pointer or the focus, and with null when neither is on a name or the tip. */
function watchTerms(tip: RefObject<HTMLElement | null>, show: (shown: Shown | null) => void): () => void {
  const stop = new AbortController();
  let timer = 0;
  const later = (shown: Shown | null): void => {
    clearTimeout(timer);
    timer = window.setTimeout(() => show(shown), REST_MS);
  };
  const hide = (): void => {
    clearTimeout(timer);
    show(null);
  };
  const listen = <Type extends keyof DocumentEventMap>(
    type: Type,
    listener: (event: DocumentEventMap[Type]) => void,
  ): void => document.addEventListener(type, listener, { signal: stop.signal, passive: true });
  listen("pointerover", ({ target }) => {
    if (tip.current?.contains(target as Node)) clearTimeout(timer);
    else later(termOf(target));
  });
  listen("focusin", ({ target }) => {
    if (target instanceof Element && target.matches(":focus-visible")) later(termOf(target));
  });
  listen("focusout", () => later(null));
  listen("pointerdown", ({ target }) => {
    if (!tip.current?.contains(target as Node)) hide();
  });
  listen("keydown", ({ key }) => {
    if (key === "Escape") hide();
  });
  listen("scroll", hide);
  return () => {
    stop.abort();
    clearTimeout(timer);
  };
}

/** The innermost term at an event; null at anything else. */
function termOf(target: EventTarget | null): Shown | null {
  const element = target instanceof Element ? target.closest("[data-term]") : null;
  const id = element?.getAttribute("data-term");
  return element && id && isTerm(id) ? { id, element, note: element.getAttribute("data-note") } : null;
}

/** Below the name, or above where there is no room; inside of the window. */
function place(tip: HTMLElement, element: Element): void {
  const { left, top, bottom } = element.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = tip;
  const fitsBelow = bottom + GAP_PX + offsetHeight + EDGE_PX <= window.innerHeight;
  tip.style.left = `${Math.max(EDGE_PX, Math.min(left, window.innerWidth - offsetWidth - EDGE_PX))}px`;
  tip.style.top = `${fitsBelow ? bottom + GAP_PX : Math.max(EDGE_PX, top - GAP_PX - offsetHeight)}px`;
}
