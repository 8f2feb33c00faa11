import { type ReactNode, useState } from "react";
import { ALL_QUERIES } from "@aglens/contract/ready-queries";
import { TextLink } from "../../frame/app-bar.tsx";
import { PageTitle } from "../../frame/page-title.tsx";
import { Page } from "../../frame/page.tsx";
import { useCopy } from "../../frame/copy.tsx";
import { sqlOf } from "../../data/sql-client.ts";
import { sqlTexts as texts } from "../../messages/sql.ts";
import { navigate } from "../../state/navigate.ts";
import { useKeys } from "../../ui/keys.ts";
import { Console } from "./console.tsx";
import type { OpenedRow } from "./opened-row.ts";
import { StatusKeys } from "./status-keys.tsx";

const ALL_CAPTURES = sqlOf("");

/** Queries in SQL over the tables of all captures that the user may see. */
export function AllSqlScreen(): ReactNode {
  const [status, setStatus] = useState("");
  const [notice, copy] = useCopy();
  const copyLink = (): void => copy(window.location.href, texts.linkToThisQuery);
  useKeys({ copyLink });
  return (
    <Page
      title="SQL"
      what={<PageTitle name="SQL" note={texts.allCaptures} />}
      actions={<TextLink href="/captures">{texts.allCapturesLabel}</TextLink>}
      status={<StatusKeys words={status} />}
      statusRight={texts.query}
      notice={notice}
    >
      <h1 className="sr-only">{texts.sqlOverAllCaptures}</h1>
      <Console
        source={ALL_CAPTURES}
        ready={ALL_QUERIES}
        onOpen={openCapture}
        onCopyLink={copyLink}
        onStatus={setStatus}
      />
    </Page>
  );
}

function openCapture({ capture, block }: OpenedRow): void {
  if (capture === null) return;
  const page = `/captures/${encodeURIComponent(capture)}`;
  navigate(block === null ? page : `${page}/sequence?v=1&block=${block}`);
}
