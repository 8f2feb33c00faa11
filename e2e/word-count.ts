/** Amount of text on a screen. */
import type { Page } from "@playwright/test";

export interface Counts {
  /** Words with a letter or digit. */
  readonly words: number;
  /** Words of these that begin with a digit, after any signs. */
  readonly figures: number;
}

/** Counts the visible text above the status bar and in it; pictures and text for screen readers do not count. */
export const countsInView = (page: Page): Promise<Counts> =>
  page.evaluate(() => {
    const bar = document.querySelector("footer");
    const edge = bar?.getBoundingClientRect().top ?? innerHeight;
    const isSeen = (parent: Element | null): parent is Element =>
      parent !== null &&
      parent.closest(".sr-only, script, style") === null &&
      parent.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const isInView = ({ width, top, bottom, left, right }: DOMRect, parent: Element): boolean =>
      width > 0 &&
      right > 0 &&
      left < innerWidth &&
      bottom > 0 &&
      (bar?.contains(parent) === true || (top + bottom) / 2 < edge);
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const seen: string[] = [];
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const parent = node.parentElement;
      if (!isSeen(parent)) continue;
      for (const { 0: word, index } of (node.textContent ?? "").matchAll(/\S*[\p{L}\d]\S*/gu)) {
        const range = new Range();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (isInView(range.getBoundingClientRect(), parent)) seen.push(word);
      }
    }
    return { words: seen.length, figures: seen.filter((word) => /^[^\p{L}\d]*\d/u.test(word)).length };
  });
