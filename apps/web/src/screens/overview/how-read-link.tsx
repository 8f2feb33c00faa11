import type { ReactNode } from "react";
import type { Expectation, Summary } from "@aglens/contract";
import { TAB_LABELS, useCapture } from "../capture-view/capture-context.ts";
import styles from "../capture-view/answer-band.module.css";

interface Props {
  /** The expectation to select there; null for the worst one. */
  readonly expectation?: Expectation["id"] | null;
}

/** Link to the page "How this was read". */
export function HowReadLink({ expectation = null }: Props): ReactNode {
  const { open } = useCapture();
  return (
    <button type="button" className={styles.link} onClick={() => open("how-read", { expectation })}>
      {TAB_LABELS["how-read"]}
    </button>
  );
}

/** The sentence of the verdict; where it begins with an expectation that isn't met, with a link to that. */
export function VerdictSentence({ summary }: { readonly summary: Summary }): ReactNode {
  const { sentence } = summary.verdict;
  const failed = expectationNotMet(summary);
  if (failed === null) return sentence;
  return (
    <>
      {failed.sentence} <HowReadLink expectation={failed.id} />
      {sentence.slice(failed.sentence.length)}
    </>
  );
}

/** The first expectation that isn't met, and the sentence about it with which the verdict begins; null where it doesn't. */
export function expectationNotMet({
  check,
  verdict,
}: Summary): { readonly id: Expectation["id"]; readonly sentence: string } | null {
  const id = check?.expectations.find(({ state }) => state === "not")?.id;
  if (check === undefined || id === undefined || !verdict.sentence.startsWith(check.sentence)) return null;
  return { id, sentence: check.sentence };
}
