import { STAGES } from "@aglens/ag-model/replication";
import type { Page } from "@playwright/test";

/** Sentences use names without defining them, and options, cells of SQL, and tips can't have a definition. */
const EXCLUDED = "h1, p, output, option, aside li, .sr-only, code, [role=grid], [role=tooltip], [data-term]";

/** The label of the total is that of buttons, too. */
const LABELS = STAGES.filter(({ id }) => id !== "secondaryTotal").map(({ label }) => label);

/**
 * Visible texts without a definition that are a stage's name, a percentile, an LSN, a clock's bound, or the cause of a
 * release.
 */
export const undefinedNames = (page: Page): Promise<string[]> =>
  page.evaluate(
    ([excluded, labels]) => {
      const name = new RegExp(
        `^(SQL\\d )?(${labels})$|^(p50|p95|p99|max)$|\\bp(50|95|99)$|^LSN$|±|^released by`,
        "iu",
      );
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
        const text = (node.textContent ?? "").trim();
        const parent = node.parentElement;
        if (parent === null || !name.test(text) || parent.closest(excluded) !== null) continue;
        if (parent.checkVisibility({ visibilityProperty: true })) found.push(text);
      }
      return found;
    },
    [EXCLUDED, LABELS.join("|")] as const,
  );
