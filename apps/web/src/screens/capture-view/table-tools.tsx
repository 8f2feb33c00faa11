import { type ReactNode, useRef } from "react";
import { useCopy } from "../../frame/copy.tsx";
import { fileName, saveFile } from "../../frame/save-file.ts";
import { captureViewTexts as texts } from "../../messages/capture-view.ts";
import { Button } from "../../ui/controls.tsx";
import { useCapture } from "./capture-context.ts";
import { csvOfTable, type TableLines, tableLines, textOfTable } from "./table-lines.ts";

/** Copies the table before it, or saves it as CSV. @param name what the table has, in the name of the file */
export function TableTools({ name }: { readonly name: string }): ReactNode {
  const { summary } = useCapture();
  const place = useRef<HTMLParagraphElement>(null);
  const [notice, copy] = useCopy();
  const withLines = (use: (lines: TableLines) => void) => (): void => {
    const table = tableBefore(place.current);
    if (table !== null) use(tableLines(table));
  };
  return (
    <p className="table-tools" ref={place}>
      <span aria-live="polite">{notice}</span>
      {window.isSecureContext ? (
        <Button
          kind="quiet"
          aria-label={texts.copy(name)}
          onClick={withLines((lines) => copy(textOfTable(lines), "Copied"))}
        >
          {texts.copyLabel}
        </Button>
      ) : null}
      <Button
        kind="quiet"
        aria-label={texts.saveAsCsv(name)}
        onClick={withLines((lines) =>
          saveFile({
            name: `${fileName(`${summary.name} ${name}`)}.csv`,
            type: "text/csv",
            content: csvOfTable(lines) as Uint8Array<ArrayBuffer>,
          }),
        )}
      >
        CSV
      </Button>
    </p>
  );
}

/** The nearest table before an element, among its siblings and in them. */
function tableBefore(element: Element | null): HTMLTableElement | null {
  for (let each = element?.previousElementSibling; each != null; each = each.previousElementSibling) {
    const table = each instanceof HTMLTableElement ? each : each.querySelector("table");
    if (table !== null) return table;
  }
  return null;
}
