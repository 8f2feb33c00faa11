import { type ReactNode, useState } from "react";
import type { EvidenceAgreement } from "@aglens/contract";
import { CheckIcon, CloseIcon } from "../../../frame/icons.tsx";
import { happenedTexts as texts } from "../../../messages/happened.ts";
import { FoldedRows } from "../../../ui/folded-rows.tsx";
import styles from "./happened-pane.module.css";

/** Rules that are listed at once; contradictions are always. */
const MOST_LISTED = 4;

/** Each rule with both figures; contradictions are first and have a cross. */
export function Agreements({ agreement }: { readonly agreement: readonly EvidenceAgreement[] }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const against = agreement.filter(({ agrees }) => agrees === false);
  const others = agreement.filter(({ agrees }) => agrees !== false);
  const listed = others.slice(0, Math.max(0, MOST_LISTED - against.length));
  const folded = others.slice(listed.length);
  return (
    <>
      <ul className={styles.agreement}>
        {[...against, ...listed, ...(isOpen ? folded : [])].map((each, i) => (
          <li
            key={i}
            data-agrees={String(each.agrees)}
            title={each.sources.map(({ file }) => file).join("\n")}
          >
            {each.agrees === null ? <i aria-hidden="true">–</i> : each.agrees ? <CheckIcon /> : <CloseIcon />}
            <span>
              <span className="sr-only">{texts.agreesText(each.agrees)} </span>
              {each.text}
            </span>
          </li>
        ))}
      </ul>
      {folded.length === 0 ? null : (
        <FoldedRows
          sentence={texts.moreRules(folded.length)}
          isOpen={isOpen}
          onToggle={() => setIsOpen(!isOpen)}
        />
      )}
    </>
  );
}
