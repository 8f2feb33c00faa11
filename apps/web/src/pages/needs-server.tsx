import type { ReactNode } from "react";
import { Message, Page } from "../frame/page.tsx";

/** Replacement for screens that need a server, in a page without one. */
function NeedsServer(): ReactNode {
  return (
    <Page title="Needs a server">
      <Message
        title="This needs AG Lens on a server."
        detail="This page reads files on this computer and asks no server. Attaching to live servers, links, SQL and the list of all captures are in AG Lens that runs as a server."
      />
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
