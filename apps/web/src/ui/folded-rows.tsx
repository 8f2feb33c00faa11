import type { ReactNode } from "react";
import { uiTexts as texts } from "../messages/ui.ts";
import { Button } from "./controls.tsx";

interface Props {
  /** Number of the folded rows, and the statement that they show no effect. */
  readonly sentence: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** Rows without effect as one sentence, with the press that shows them in their table. */
export function FoldedRows({ sentence, isOpen, onToggle }: Props): ReactNode {
  return (
    <p className="folded-rows">
      {sentence}{" "}
      <Button kind="quiet" aria-expanded={isOpen} onClick={onToggle}>
        {isOpen ? texts.hideThem : texts.showThem}
      </Button>
    </p>
  );
}
