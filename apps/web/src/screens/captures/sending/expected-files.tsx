import type { ReactNode } from "react";
import type { Capture } from "@aglens/contract";
import { expectedFiles } from "../../../data/kept-client.ts";
import { useAnswer } from "../../../data/use-answer.ts";
import { sendingTexts as texts } from "../../../messages/sending.ts";
import { formatBytes } from "../../../ui/words.ts";
import styles from "./expected-files.module.css";

/**
 * The files of an opened link or of an earlier capture, and which of them were chosen; shows nothing for any other
 * capture.
 */
export function ExpectedFiles({ capture }: { readonly capture: Capture }): ReactNode {
  const files = useAnswer(expectedFiles(capture.id, capture.files.length)).value?.files ?? null;
  if (files === null) return null;
  const missing = files.filter(({ isGiven }) => !isGiven).length;
  return (
    <section className={styles.expected} aria-labelledby="expected-files">
      <h2 id="expected-files">{texts.filesThatThisView}</h2>
      <p aria-live="polite">{missing === 0 ? texts.allAreHereAnalyze : texts.theyLie}</p>
      <ul className="over-line">
        {files.map(({ name, size, sha256, isGiven }) => (
          <li key={sha256} data-given={isGiven}>
            <span>{name === "" ? texts.sha256(sha256) : name}</span>
            <span className="num">{formatBytes(size)}</span>
            <span>{isGiven ? texts.given : texts.missing}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
