import type { ReactNode } from "react";
import { IS_ALONE } from "../../alone.ts";
import { withBasePath } from "../../base-path.ts";
import { useKeepSensitive } from "../../data/keep-sensitive.ts";
import { type Place, usePlace } from "../../data/place.ts";
import { Check } from "../../frame/field.tsx";
import { capturesTexts } from "../../messages/captures.ts";
import styles from "./where-runs.module.css";

/** Where new files are read, in this browser or on the server, and other ways to use the product. */
export function WhereRuns(): ReactNode {
  const { place } = usePlace();
  if (IS_ALONE) return <p className={styles.where}>{READ_HERE}</p>;
  return (
    <details className={styles.where}>
      <summary>
        {place === "server" ? capturesTexts.filesGo : capturesTexts.filesStayOn}{" "}
        <span>{capturesTexts.runOnThisComputer}</span>
      </summary>
      <fieldset>
        <legend className="sr-only">{capturesTexts.whereTheAnalysisRuns}</legend>
        <Choice of="browser" title={capturesTexts.onThisComputer}>
          {READ_HERE}
        </Choice>
        <Choice of="server" title={capturesTexts.onThisServer}>
          {capturesTexts.filesGoTo(window.location.host)}
          {place === "server" ? <KeepSensitive /> : null}
        </Choice>
      </fieldset>
      <TakeAway />
      <p>{capturesTexts.topologyXmlIsOptional}</p>
    </details>
  );
}

const READ_HERE = capturesTexts.filesAreRead;

/** The product as one file, for a computer without a connection to a server. */
function TakeAway(): ReactNode {
  return (
    <p>
      {capturesTexts.oneHtmlFile(
        <a className="ink" href={withBasePath("/alone/ag-lens.html")} download="ag-lens.html">
          {capturesTexts.takeAgLens}
        </a>,
        <a className="ink" href={withBasePath("/alone/ag-lens-folder.zip")} download="ag-lens-folder.zip">
          {capturesTexts.asAFolder}
        </a>,
      )}
    </p>
  );
}

interface ChoiceProps {
  readonly of: Place;
  readonly title: string;
  readonly children: ReactNode;
}

function Choice({ of, title, children }: ChoiceProps): ReactNode {
  const { place, choose } = usePlace();
  const id = `where-${of}`;
  return (
    <div className={styles.choice} data-chosen={place === of}>
      <input
        type="radio"
        name="where"
        id={id}
        checked={place === of}
        onChange={() => choose(of)}
        aria-describedby={`${id}-words`}
      />
      <label htmlFor={id}>{title}</label>
      <div id={`${id}-words`}>{children}</div>
    </div>
  );
}

/** Choice whether new files keep data that names people and quotes statements. */
function KeepSensitive(): ReactNode {
  const { keepSensitive, setKeepSensitive } = useKeepSensitive();
  return (
    <Check checked={keepSensitive} onChange={setKeepSensitive}>
      {capturesTexts.keepStatementTextsHost}
    </Check>
  );
}
