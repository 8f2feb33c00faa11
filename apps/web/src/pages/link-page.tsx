import { type ReactNode, useEffect } from "react";
import { navigate } from "wouter/use-browser-location";
import { linkById } from "../data/captures-client.ts";
import { useAnswer } from "../data/use-answer.ts";
import { Message, Page } from "../frame/page.tsx";

/** Opens what a link restores, in place of the link's own address. */
export function LinkPage({ id }: { id: string }): ReactNode {
  const link = useAnswer(linkById(id));
  useEffect(() => {
    if (link.value === null) return;
    const { captureId, path, view } = link.value;
    const screen = path === "/" ? "" : path;
    const query = view === "" ? "" : `?${view.replace(/^\?/u, "")}`;
    navigate(`/captures/${captureId}${screen}${query}`, { replace: true });
  }, [link.value]);
  return (
    <Page title="Link">
      {link.error === null ? null : (
        <Message title="This link cannot be opened." detail={link.error} onRetry={link.retry} />
      )}
    </Page>
  );
}
