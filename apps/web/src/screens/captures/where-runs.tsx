import type { ReactNode } from "react";
import { IS_ALONE } from "../../alone.ts";
import { withBasePath } from "../../base-path.ts";
import { useKeepSensitive } from "../../data/keep-sensitive.ts";
import { type Place, usePlace } from "../../data/place.ts";
import { Check } from "../../frame/field.tsx";
import styles from "./where-runs.module.css";

/** Where new files are read, in this browser or on the server, and other ways to use the product. */
export function WhereRuns(): ReactNode {
  const { place } = usePlace();
  if (IS_ALONE) return <p className={styles.where}>{READ_HERE}</p>;
  return (
    <details className={styles.where}>
      <summary>
        {place === "server" ? "Files go to this server only." : "Files stay on this computer."}{" "}
        <span>Run on this computer, single file, and other options</span>
      </summary>
      <fieldset>
        <legend className="sr-only">Where the analysis runs</legend>
        <Choice of="browser" title="On this computer">
          {READ_HERE}
        </Choice>
        <Choice of="server" title="On this server">
          Files go to {window.location.host} and to no other place. For links and for captures that stay.
          {place === "server" ? <KeepSensitive /> : null}
        </Choice>
      </fieldset>
      <TakeAway />
      <p>Topology XML is optional and only adds names. A saved capture (.aglens) opens at once.</p>
    </details>
  );
}

const READ_HERE =
  "Files are read in the browser and never leave it. Results and notes stay in this browser until you forget them.";

/** The product as one file, for a computer without a connection to a server. */
function TakeAway(): ReactNode {
  return (
    <p>
      <a className="ink" href={withBasePath("/alone/ag-lens.html")} download="ag-lens.html">
        Take AG Lens with you
      </a>
      : one HTML file that opens from a disk and asks nothing of a network. Or{" "}
      <a className="ink" href={withBasePath("/alone/ag-lens-folder.zip")} download="ag-lens-folder.zip">
        as a folder
      </a>{" "}
      for any web server, where browsers can install it.
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
      Keep statement texts, host and login names in files added from now on. Otherwise they are overwritten
      before a file is kept.
    </Check>
  );
}
