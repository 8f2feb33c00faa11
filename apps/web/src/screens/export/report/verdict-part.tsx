import type { ReactNode } from "react";
import type { Summary } from "@aglens/contract";
import { reportTexts as texts } from "../../../messages/report.ts";
import { formatCount } from "../../../ui/words.ts";
import { Section } from "./section.tsx";

/** The answer: the slow part, the figures that support it, the next checks. Page 1 alone answers the ticket. */
export function VerdictPart({ summary }: { readonly summary: Summary }): ReactNode {
  const { verdict } = summary;
  const { measured = [] } = verdict;
  // Where no rule fired, the verdict's own sentence is not a finding.
  const findings = verdict.findings.filter(({ rule }) => rule !== "D0");
  return (
    <>
      <section id="verdict" className="verdict" data-severity={verdict.severity}>
        <h1>{verdict.sentence}</h1>
        {verdict.evidence.length === 0 ? null : (
          <dl className="evidence">
            {verdict.evidence.map(({ before, value, after }) => (
              <div key={`${before}${value}${after}`}>
                <dt>{value}</dt>
                <dd>{[before, after].filter((words) => words !== "").join(" ")}</dd>
              </div>
            ))}
          </dl>
        )}
      </section>
      {verdict.checkNext.length === 0 ? null : (
        <Section id="check" title={texts.checkNext}>
          <ol>
            {verdict.checkNext.map((advice) => (
              <li key={advice}>{advice}</li>
            ))}
          </ol>
        </Section>
      )}
      {findings.length === 0 ? null : (
        <Section id="findings" title={texts.allFindings} note={formatCount(findings.length)}>
          <ul>
            {findings.map(({ rule, sentence, threshold, source }) => (
              <li key={`${rule}${sentence}`}>
                {sentence}{" "}
                <span className="quiet">
                  {[threshold, source].filter((words) => words !== "").join("; ")}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {measured.length === 0 ? null : (
        <Section id="measured" title={texts.howThisWasMeasured}>
          <ul>
            {measured.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}
