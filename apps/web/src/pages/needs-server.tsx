import type { ReactNode } from "react";
import { Message, Page } from "../frame/page.tsx";

/** In a page without a server, what stands at the addresses of screens that need one. */
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
