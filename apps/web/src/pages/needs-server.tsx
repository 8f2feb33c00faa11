import type { ReactNode } from "react";
import { Message, Page } from "../frame/page.tsx";
import { pagesTexts as texts } from "../messages/pages.ts";

/** Replacement for screens that need a server, in a page without one. */
function NeedsServer(): ReactNode {
  return (
    <Page title={texts.needsAServer}>
      <Message title={texts.thisNeedsAgLens} detail={texts.thisPageReadsFiles} />
    </Page>
  );
}

export {
  NeedsServer as AllSqlScreen,
  NeedsServer as AttachScreen,
  NeedsServer as FleetScreen,
  NeedsServer as LibraryScreen,
  NeedsServer as LiveScreen,
  NeedsServer as SqlScreen,
  NeedsServer as StatusScreen,
};
