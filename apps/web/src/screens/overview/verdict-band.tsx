import type { Summary } from "xel-parser/contract";

/** The answer first: what is slow, the figures that carry it, what to check next. */
export function VerdictBand({ summary }: { readonly summary: Summary }) {
  const { verdict, notes } = summary;
  return (
    <section className={`verdict ${verdict.severity}`} aria-label="Verdict">
      <div className="verdict-main">
        <p className="verdict-sentence">{verdict.sentence}</p>
        <ul className="evidence">
          {verdict.evidence.map((figure) => (
            <li key={`${figure.before}${figure.value}${figure.after}`}>
              {figure.before} <b>{figure.value}</b> {figure.after}
            </li>
          ))}
        </ul>
        {notes.length > 0 && (
          <details className="notes">
            <summary>
              {notes.length === 1 ? "1 note on this capture" : `${notes.length} notes on this capture`}
            </summary>
            <ul>
              {notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          </details>
        )}
      </div>
      {verdict.checkNext.length > 0 && (
        <div className="check-next">
          <h2>Check next</h2>
          <ul>
            {verdict.checkNext.slice(0, 3).map((advice) => (
              <li key={advice}>{advice}</li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
