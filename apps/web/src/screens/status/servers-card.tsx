import type { ReactNode } from "react";
import type { ServerFigures } from "@aglens/contract";
import { statusTexts as texts } from "../../messages/status.ts";
import { Button, Card } from "../../ui/controls.tsx";
import { FigureTable } from "../../ui/figure-table.tsx";
import { serverText } from "./status-text.ts";
import styles from "./status-screen.module.css";

interface Props {
  readonly figures: Pick<ServerFigures, "servers" | "now">;
  readonly onShow: (server: string) => void;
}

/** The servers in the catalog, and the one whose figures the page shows. */
export function ServersCard({ figures: { servers, now }, onShow }: Props): ReactNode {
  const [version, ...others] = new Set(servers.map((server) => server.version));
  const areMixed = others.length > 0;
  return (
    <Card title={texts.servers} aside={areMixed ? texts.ofDifferentVersions : texts.allOfVersion(version)}>
      <FigureTable<(typeof servers)[number]>
        className={`${styles.table} ${styles.servers}`}
        isHeadHidden
        rows={servers}
        rowKey={({ name }) => name}
        columns={[
          { id: "Server", cell: ({ name }) => name, cellProps: ({ name }) => ({ title: name }) },
          {
            id: "Runs",
            align: "left",
            cell: (server) => serverText(server, now),
            cellProps: ({ isRunning }) => ({ "data-bad": !isRunning }),
          },
          areMixed && { id: "Version", align: "left", className: "quiet", cell: (server) => server.version },
          {
            id: "Figures",
            className: styles.figure,
            cell: ({ name, isThis, isRunning }) => {
              if (isThis) return texts.shownHere;
              return isRunning ? (
                <Button kind="quiet" aria-label={texts.showTheFiguresOf(name)} onClick={() => onShow(name)}>
                  {texts.show}
                </Button>
              ) : null;
            },
          },
        ]}
      />
    </Card>
  );
}
