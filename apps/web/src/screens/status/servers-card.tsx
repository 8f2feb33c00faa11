import type { ReactNode } from "react";
import type { ServerFigures } from "@aglens/contract";
import { Button, Card } from "../../ui/controls.tsx";
import { serverWords } from "./status-words.ts";
import styles from "./status-screen.module.css";

interface Props {
  readonly figures: Pick<ServerFigures, "servers" | "now">;
  readonly onShow: (server: string) => void;
}

/** The servers on the catalogue, and of which of them the page shows the figures. */
export function ServersCard({ figures: { servers, now }, onShow }: Props): ReactNode {
  const [version, ...others] = new Set(servers.map((server) => server.version));
  const areMixed = others.length > 0;
  return (
    <Card title="Servers" aside={areMixed ? "of different versions" : `all of version ${version}`}>
      <table className={`${styles.table} ${styles.servers}`}>
        <thead className="sr-only">
          <tr>
            <th scope="col">Server</th>
            <th scope="col">Runs</th>
            {areMixed ? <th scope="col">Version</th> : null}
            <th scope="col">Figures</th>
          </tr>
        </thead>
        <tbody>
          {servers.map((server) => (
            <tr key={server.name}>
              <td title={server.name}>{server.name}</td>
              <td data-refused={!server.isRunning}>{serverWords(server, now)}</td>
              {areMixed ? <td className="quiet">{server.version}</td> : null}
              <td className={styles.figure}>
                {server.isThis ? (
                  "shown here"
                ) : server.isRunning ? (
                  <Button
                    kind="quiet"
                    aria-label={`Show the figures of ${server.name}`}
                    onClick={() => onShow(server.name)}
                  >
                    show
                  </Button>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
