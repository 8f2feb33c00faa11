import type { ReactNode } from "react";
import { pagesTexts as texts } from "../messages/pages.ts";
import { useCapture } from "../screens/capture-view/capture-context.ts";
import type { NamedBlock } from "../state/view.ts";
import { Button } from "../ui/controls.tsx";
import styles from "./filter-row.module.css";

/** Under the strip: that the link names a block which this capture does not have. */
export function MissingBlockRow({ block }: { readonly block: NamedBlock | null }): ReactNode {
  const { setView } = useCapture();
  if (block === null) return null;
  const { database, lsn } = block;
  return (
    <section className={styles.row} aria-label={texts.blockOfTheLink}>
      <output>{texts.linkNamesBlock(<code>{lsn}</code>, database === null ? "" : texts.of(database))}</output>
      <span className="row gap-8 pushed">
        <Button kind="quiet" onClick={() => setView({ block: null }, "replace")}>
          {texts.dismiss}
        </Button>
      </span>
    </section>
  );
}
