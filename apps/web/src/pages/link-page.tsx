import { type ReactNode, useEffect, useState } from "react";
import { navigate } from "wouter/use-browser-location";
import { readLink } from "../data/captures-client.ts";
import { isAbort, sentenceOf } from "../data/problem.ts";
import { Message, Page } from "../frame/page.tsx";

/** Opens what a link restores, in place of the link's own address. */
export function LinkPage({ id }: { id: string }): ReactNode {
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    readLink(id, abort.signal)
      .then((link) => {
        const screen = link.path === "/" ? "" : link.path;
        const query = link.view === "" ? "" : `?${link.view.replace(/^\?/u, "")}`;
        navigate(`/captures/${link.captureId}${screen}${query}`, { replace: true });
      })
      .catch((error: unknown) => {
        if (!isAbort(error)) setProblem(sentenceOf(error));
      });
    return () => abort.abort();
  }, [id]);
  return (
    <Page title="Link">
      {problem === null ? null : <Message title="This link cannot be opened." detail={problem} />}
    </Page>
  );
}
